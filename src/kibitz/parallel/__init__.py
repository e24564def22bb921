"""Independent pieces of work, done here, in local processes or on a cluster."""

from kibitz.parallel.executors import EXECUTORS, Executor, InProcess, Processes, Ray, WorkerLostError, load_executor

__all__ = ["EXECUTORS", "Executor", "InProcess", "Processes", "Ray", "WorkerLostError", "load_executor"]
