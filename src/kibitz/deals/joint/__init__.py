"""Joint bucket distributions: matrix deals of bucket games."""

from kibitz.deals.joint.matrices import Boards, bucket_label, bucket_matrices

__all__ = ["Boards", "bucket_label", "bucket_matrices"]
