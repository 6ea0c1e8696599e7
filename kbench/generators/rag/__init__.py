"""Retrieval for generation: a corpus, an index over it, and a generator that shows what it finds to another one.

corpus.py     files and known solutions → passages, cut by function
embed.py      texts → vectors (optional: BM25 alone needs nothing beside kbench)
index.py      one DuckDB file: passages, words, vectors
guard.py      what may not be shown for a task, and why
retrieve.py   query → hybrid ranking → filters → guard
generator.py  the wrapper around any generator
"""
