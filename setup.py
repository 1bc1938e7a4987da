"""The list of packages; everything else is in pyproject.toml.

`packages.find` in pyproject.toml cannot rename what it finds, and agents/ and training/ install as
sub-packages of mages_env.
"""

from setuptools import find_namespace_packages, setup

ROOTS = ("mages_env", "agents", "training")

found = find_namespace_packages(  # folders of data count as packages too
    include=[pattern for root in ROOTS for pattern in (root, f"{root}.*")],
    exclude=["*.__pycache__"],
)
setup(packages=[p if p.split(".")[0] == "mages_env" else f"mages_env.{p}" for p in found])
