"""Tree search."""

from mages_env.agents.search.ismcts import ISMCTSAgent, Searcher, SearchResult, search

__all__ = ["ISMCTSAgent", "SearchResult", "Searcher", "search"]
