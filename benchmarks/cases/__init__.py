"""One module per question; each `run(plan)` answers with readings (bounded) and costs (for the reader)."""
