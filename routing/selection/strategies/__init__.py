"""One module a strategy, all under the contract of ``contract.py``."""
