"""The suite and its judge: what the specification requires, and whether an implementation does it.

`case` (a story of acts), `operation` and `operations` (what is asked, one value an operation),
`implementation` (the seam: requests out, replies in), `runner`, `verdict` and `events`. Rooms: `suite`
(features, golden files, catalogue, lint), `steps` (the words of cases), and a folder an operation:
`allocate`, `admit`, `cluster`.
"""
