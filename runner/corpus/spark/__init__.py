"""The engines that run on Apache Spark."""
