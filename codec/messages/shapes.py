"""What stands in front of each built-in message, and its shapes (see `shape`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..shape import Shapes

SHAPES: dict[str, Shapes] = {
    "AssignmentInfo": (
        ("version32", "refuse", None),
        (
            (1, 1, (4, ("int32", (8,)), ("int32", (8, ("int32", ("string", 4)))))),
            (
                2,
                2,
                (
                    4,
                    ("int32", (8,)),
                    ("int32", (8, ("int32", ("string", 4)))),
                    ("int32", ("string", 4, ("int32", ("string", 4)))),
                ),
            ),
            (
                3,
                3,
                (
                    8,
                    ("int32", (8,)),
                    ("int32", (8, ("int32", ("string", 4)))),
                    ("int32", ("string", 4, ("int32", ("string", 4)))),
                ),
            ),
            (
                4,
                4,
                (
                    8,
                    ("int32", (8,)),
                    ("int32", (8, ("int32", ("string", 4)))),
                    ("int32", ("string", 4, ("int32", ("string", 4)))),
                    4,
                ),
            ),
            (
                5,
                5,
                (
                    8,
                    ("int32", (8,)),
                    ("int32", (8, ("int32", ("string", 4)))),
                    ("int32", (4, "string")),
                    ("int32", ("string", 4, ("int32", (8,)))),
                    4,
                ),
            ),
            (
                6,
                6,
                (
                    8,
                    ("int32", (8,)),
                    ("int32", (8, ("int32", ("string", 4)))),
                    ("int32", (4, "string")),
                    ("int32", ("string", 4, ("int32", (8,)))),
                    ("int32", ("string", 4, ("int32", (8,)))),
                    4,
                ),
            ),
            (
                7,
                9,
                (
                    8,
                    ("int32", (8,)),
                    ("int32", (8, ("int32", ("string", 4)))),
                    ("int32", (4, "string")),
                    ("int32", ("string", 4, ("int32", (8,)))),
                    ("int32", ("string", 4, ("int32", (8,)))),
                    12,
                ),
            ),
            (
                10,
                11,
                (
                    8,
                    ("int32", (8, ("?int32", (2,)))),
                    ("int32", (8, ("?int32", (2,)), ("int32", ("string", 4)))),
                    ("int32", (4, "string")),
                    ("int32", ("string", 4, ("int32", (8,)))),
                    ("int32", ("string", 4, ("int32", (8,)))),
                    12,
                ),
            ),
        ),
    ),
    "ConnectProtocolAssignment": (
        ("version", "accept", None),
        (
            (0, 0, (2, "string", "string", 8, ("int32", ("string", ("int32", (4,)))))),
            (
                1,
                2,
                (
                    2,
                    "string",
                    "string",
                    8,
                    "end",
                    ("?int32", ("string", ("int32", (4,)))),
                    "end",
                    ("?int32", ("string", ("int32", (4,)))),
                    "end",
                    4,
                ),
            ),
        ),
    ),
    "ConnectProtocolMetadata": (
        ("version", "accept", None),
        ((0, 0, ("string", 8)), (1, 2, ("string", 8, "end", "?bytes"))),
    ),
    "ConsumerGroupCurrentMemberAssignmentKey": (
        ("record-type", "refuse", 8),
        ((0, 0, ("string", "string")),),
    ),
    "ConsumerGroupCurrentMemberAssignmentValue": (
        ("version", "refuse", 8),
        (
            (
                0,
                0,
                (
                    9,
                    ("varint", (16, ("varint", (4,)), "tags")),
                    ("varint", (16, ("varint", (4,)), "tags")),
                    "tags",
                ),
            ),
        ),
    ),
    "ConsumerGroupDescribeRequest": (
        ("none", "refuse", 69),
        ((0, 1, (("varint", ("varint bytes",)), 1, "tags")),),
    ),
    "ConsumerGroupDescribeResponse": (
        ("none", "refuse", 69),
        (
            (
                0,
                0,
                (
                    4,
                    (
                        "varint",
                        (
                            2,
                            "?varint bytes",
                            "varint bytes",
                            "varint bytes",
                            8,
                            "varint bytes",
                            (
                                "varint",
                                (
                                    "varint bytes",
                                    "?varint bytes",
                                    "?varint bytes",
                                    4,
                                    "varint bytes",
                                    "varint bytes",
                                    ("varint", ("varint bytes",)),
                                    "?varint bytes",
                                    ("varint", (16, "varint bytes", ("varint", (4,)), "tags")),
                                    "tags",
                                    ("varint", (16, "varint bytes", ("varint", (4,)), "tags")),
                                    "tags",
                                    "tags",
                                ),
                            ),
                            4,
                            "tags",
                        ),
                    ),
                    "tags",
                ),
            ),
            (
                1,
                1,
                (
                    4,
                    (
                        "varint",
                        (
                            2,
                            "?varint bytes",
                            "varint bytes",
                            "varint bytes",
                            8,
                            "varint bytes",
                            (
                                "varint",
                                (
                                    "varint bytes",
                                    "?varint bytes",
                                    "?varint bytes",
                                    4,
                                    "varint bytes",
                                    "varint bytes",
                                    ("varint", ("varint bytes",)),
                                    "?varint bytes",
                                    ("varint", (16, "varint bytes", ("varint", (4,)), "tags")),
                                    "tags",
                                    ("varint", (16, "varint bytes", ("varint", (4,)), "tags")),
                                    "tags",
                                    1,
                                    "tags",
                                ),
                            ),
                            4,
                            "tags",
                        ),
                    ),
                    "tags",
                ),
            ),
        ),
    ),
    "ConsumerGroupHeartbeatRequest": (
        ("none", "refuse", 68),
        (
            (
                0,
                0,
                (
                    "varint bytes",
                    "varint bytes",
                    4,
                    "?varint bytes",
                    "?varint bytes",
                    4,
                    ("?varint", ("varint bytes",)),
                    "?varint bytes",
                    ("?varint", (16, ("varint", (4,)), "tags")),
                    "tags",
                ),
            ),
            (
                1,
                1,
                (
                    "varint bytes",
                    "varint bytes",
                    4,
                    "?varint bytes",
                    "?varint bytes",
                    4,
                    ("?varint", ("varint bytes",)),
                    "?varint bytes",
                    "?varint bytes",
                    ("?varint", (16, ("varint", (4,)), "tags")),
                    "tags",
                ),
            ),
        ),
    ),
    "ConsumerGroupHeartbeatResponse": (
        ("none", "refuse", 68),
        (
            (
                0,
                1,
                (
                    6,
                    "?varint bytes",
                    "?varint bytes",
                    8,
                    ("struct", (("varint", (16, ("varint", (4,)), "tags")), "tags")),
                    "tags",
                ),
            ),
        ),
    ),
    "ConsumerGroupMemberMetadataKey": (
        ("record-type", "refuse", 5),
        ((0, 0, ("string", "string")),),
    ),
    "ConsumerGroupMemberMetadataValue": (
        ("version", "refuse", 5),
        (
            (
                0,
                0,
                (
                    "?varint bytes",
                    "?varint bytes",
                    "varint bytes",
                    "varint bytes",
                    ("varint", ("varint bytes",)),
                    "?varint bytes",
                    4,
                    "?varint bytes",
                    "tags",
                ),
            ),
        ),
    ),
    "ConsumerGroupMetadataKey": (("record-type", "refuse", 3), ((0, 0, ("string",)),)),
    "ConsumerGroupMetadataValue": (("version", "refuse", 3), ((0, 0, (4, "tags")),)),
    "ConsumerGroupPartitionMetadataKey": (("record-type", "refuse", 4), ((0, 0, ("string",)),)),
    "ConsumerGroupPartitionMetadataValue": (
        ("version", "refuse", 4),
        (
            (
                0,
                0,
                (
                    (
                        "varint",
                        (
                            16,
                            "varint bytes",
                            4,
                            ("varint", (4, ("varint", ("varint bytes",)), "tags")),
                            "tags",
                        ),
                    ),
                    "tags",
                ),
            ),
        ),
    ),
    "ConsumerGroupRegularExpressionKey": (
        ("record-type", "refuse", 16),
        ((0, 0, ("string", "string")),),
    ),
    "ConsumerGroupRegularExpressionValue": (
        ("version", "refuse", 16),
        ((0, 0, (("varint", ("varint bytes",)), 16, "tags")),),
    ),
    "ConsumerGroupTargetAssignmentMemberKey": (
        ("record-type", "refuse", 7),
        ((0, 0, ("string", "string")),),
    ),
    "ConsumerGroupTargetAssignmentMemberValue": (
        ("version", "refuse", 7),
        ((0, 0, (("varint", (16, ("varint", (4,)), "tags")), "tags")),),
    ),
    "ConsumerGroupTargetAssignmentMetadataKey": (
        ("record-type", "refuse", 6),
        ((0, 0, ("string",)),),
    ),
    "ConsumerGroupTargetAssignmentMetadataValue": (
        ("version", "refuse", 6),
        ((0, 0, (4, "tags")),),
    ),
    "ConsumerProtocolAssignment": (
        ("version", "clamp", None),
        ((0, 3, (("int32", ("string", ("int32", (4,)))), "?bytes")),),
    ),
    "ConsumerProtocolAssignmentDraft429": (
        ("version", "refuse", None),
        (
            (
                1,
                1,
                (
                    ("int32", ("string", ("int32", (4,)))),
                    "?bytes",
                    ("int32", ("string", ("int32", (4,)))),
                    2,
                ),
            ),
        ),
    ),
    "ConsumerProtocolSubscription": (
        ("version", "clamp", None),
        (
            (0, 0, (("int32", ("string",)), "?bytes")),
            (1, 1, (("int32", ("string",)), "?bytes", ("int32", ("string", ("int32", (4,)))))),
            (2, 2, (("int32", ("string",)), "?bytes", ("int32", ("string", ("int32", (4,)))), 4)),
            (
                3,
                3,
                (
                    ("int32", ("string",)),
                    "?bytes",
                    ("int32", ("string", ("int32", (4,)))),
                    4,
                    "?string",
                ),
            ),
        ),
    ),
    "CooperativeStickyUserData": (("none", "refuse", None), ((0, 0, (4,)),)),
    "DescribeGroupsRequest": (
        ("none", "refuse", 15),
        (
            (0, 2, (("int32", ("string",)),)),
            (3, 4, (("int32", ("string",)), 1)),
            (5, 6, (("varint", ("varint bytes",)), 1, "tags")),
        ),
    ),
    "DescribeGroupsResponse": (
        ("none", "refuse", 15),
        (
            (
                0,
                0,
                (
                    (
                        "int32",
                        (
                            2,
                            "string",
                            "string",
                            "string",
                            "string",
                            ("int32", ("string", "string", "string", "bytes", "bytes")),
                        ),
                    ),
                ),
            ),
            (
                1,
                2,
                (
                    4,
                    (
                        "int32",
                        (
                            2,
                            "string",
                            "string",
                            "string",
                            "string",
                            ("int32", ("string", "string", "string", "bytes", "bytes")),
                        ),
                    ),
                ),
            ),
            (
                3,
                3,
                (
                    4,
                    (
                        "int32",
                        (
                            2,
                            "string",
                            "string",
                            "string",
                            "string",
                            ("int32", ("string", "string", "string", "bytes", "bytes")),
                            4,
                        ),
                    ),
                ),
            ),
            (
                4,
                4,
                (
                    4,
                    (
                        "int32",
                        (
                            2,
                            "string",
                            "string",
                            "string",
                            "string",
                            ("int32", ("string", "?string", "string", "string", "bytes", "bytes")),
                            4,
                        ),
                    ),
                ),
            ),
            (
                5,
                5,
                (
                    4,
                    (
                        "varint",
                        (
                            2,
                            "varint bytes",
                            "varint bytes",
                            "varint bytes",
                            "varint bytes",
                            (
                                "varint",
                                (
                                    "varint bytes",
                                    "?varint bytes",
                                    "varint bytes",
                                    "varint bytes",
                                    "varint bytes",
                                    "varint bytes",
                                    "tags",
                                ),
                            ),
                            4,
                            "tags",
                        ),
                    ),
                    "tags",
                ),
            ),
            (
                6,
                6,
                (
                    4,
                    (
                        "varint",
                        (
                            2,
                            "?varint bytes",
                            "varint bytes",
                            "varint bytes",
                            "varint bytes",
                            "varint bytes",
                            (
                                "varint",
                                (
                                    "varint bytes",
                                    "?varint bytes",
                                    "varint bytes",
                                    "varint bytes",
                                    "varint bytes",
                                    "varint bytes",
                                    "tags",
                                ),
                            ),
                            4,
                            "tags",
                        ),
                    ),
                    "tags",
                ),
            ),
        ),
    ),
    "GroupMetadataKey": (("record-type", "refuse", 2), ((0, 0, ("string",)),)),
    "GroupMetadataValue": (
        ("version", "refuse", 2),
        (
            (
                0,
                0,
                (
                    "string",
                    4,
                    "?string",
                    "?string",
                    ("int32", ("string", "string", "string", 4, "bytes", "bytes")),
                ),
            ),
            (
                1,
                1,
                (
                    "string",
                    4,
                    "?string",
                    "?string",
                    ("int32", ("string", "string", "string", 8, "bytes", "bytes")),
                ),
            ),
            (
                2,
                2,
                (
                    "string",
                    4,
                    "?string",
                    "?string",
                    8,
                    ("int32", ("string", "string", "string", 8, "bytes", "bytes")),
                ),
            ),
            (
                3,
                3,
                (
                    "string",
                    4,
                    "?string",
                    "?string",
                    8,
                    ("int32", ("string", "?string", "string", "string", 8, "bytes", "bytes")),
                ),
            ),
            (
                4,
                4,
                (
                    "varint bytes",
                    4,
                    "?varint bytes",
                    "?varint bytes",
                    8,
                    (
                        "varint",
                        (
                            "varint bytes",
                            "?varint bytes",
                            "varint bytes",
                            "varint bytes",
                            8,
                            "varint bytes",
                            "varint bytes",
                            "tags",
                        ),
                    ),
                    "tags",
                ),
            ),
        ),
    ),
    "HeartbeatRequest": (
        ("none", "refuse", 12),
        (
            (0, 2, ("string", 4, "string")),
            (3, 3, ("string", 4, "string", "?string")),
            (4, 4, ("varint bytes", 4, "varint bytes", "?varint bytes", "tags")),
        ),
    ),
    "HeartbeatResponse": (
        ("none", "refuse", 12),
        ((0, 0, (2,)), (1, 3, (6,)), (4, 4, (6, "tags"))),
    ),
    "JoinGroupRequest": (
        ("none", "refuse", 11),
        (
            (0, 0, ("string", 4, "string", "string", ("int32", ("string", "bytes")))),
            (1, 4, ("string", 8, "string", "string", ("int32", ("string", "bytes")))),
            (5, 5, ("string", 8, "string", "?string", "string", ("int32", ("string", "bytes")))),
            (
                6,
                7,
                (
                    "varint bytes",
                    8,
                    "varint bytes",
                    "?varint bytes",
                    "varint bytes",
                    ("varint", ("varint bytes", "varint bytes", "tags")),
                    "tags",
                ),
            ),
            (
                8,
                9,
                (
                    "varint bytes",
                    8,
                    "varint bytes",
                    "?varint bytes",
                    "varint bytes",
                    ("varint", ("varint bytes", "varint bytes", "tags")),
                    "?varint bytes",
                    "tags",
                ),
            ),
        ),
    ),
    "JoinGroupResponse": (
        ("none", "refuse", 11),
        (
            (0, 1, (6, "string", "string", "string", ("int32", ("string", "bytes")))),
            (2, 4, (10, "string", "string", "string", ("int32", ("string", "bytes")))),
            (5, 5, (10, "string", "string", "string", ("int32", ("string", "?string", "bytes")))),
            (
                6,
                6,
                (
                    10,
                    "varint bytes",
                    "varint bytes",
                    "varint bytes",
                    ("varint", ("varint bytes", "?varint bytes", "varint bytes", "tags")),
                    "tags",
                ),
            ),
            (
                7,
                8,
                (
                    10,
                    "?varint bytes",
                    "?varint bytes",
                    "varint bytes",
                    "varint bytes",
                    ("varint", ("varint bytes", "?varint bytes", "varint bytes", "tags")),
                    "tags",
                ),
            ),
            (
                9,
                9,
                (
                    10,
                    "?varint bytes",
                    "?varint bytes",
                    "varint bytes",
                    1,
                    "varint bytes",
                    ("varint", ("varint bytes", "?varint bytes", "varint bytes", "tags")),
                    "tags",
                ),
            ),
        ),
    ),
    "LeaveGroupRequest": (
        ("none", "refuse", 13),
        (
            (0, 2, ("string", "string")),
            (3, 3, ("string", ("int32", ("string", "?string")))),
            (4, 4, ("varint bytes", ("varint", ("varint bytes", "?varint bytes", "tags")), "tags")),
            (
                5,
                5,
                (
                    "varint bytes",
                    ("varint", ("varint bytes", "?varint bytes", "?varint bytes", "tags")),
                    "tags",
                ),
            ),
        ),
    ),
    "LeaveGroupResponse": (
        ("none", "refuse", 13),
        (
            (0, 0, (2,)),
            (1, 2, (6,)),
            (3, 3, (6, ("int32", ("string", "?string", 2)))),
            (4, 5, (6, ("varint", ("varint bytes", "?varint bytes", 2, "tags")), "tags")),
        ),
    ),
    "LegacyOffsetCommitKey": (("record-type", "refuse", 0), ((0, 0, ("string", "string", 4)),)),
    "LegacyOffsetCommitValue": (("version", "refuse", 0), ((0, 0, (8, "string", 8)),)),
    "OffsetCommitKey": (("record-type", "refuse", 1), ((0, 0, ("string", "string", 4)),)),
    "OffsetCommitValue": (
        ("version", "refuse", 1),
        (
            (0, 0, (8, "string", 8)),
            (1, 1, (8, "string", 16)),
            (2, 2, (8, "string", 8)),
            (3, 3, (12, "string", 8)),
            (4, 4, (12, "varint bytes", 8, "tags")),
        ),
    ),
    "RequestHeader": (
        ("none", "refuse", None),
        ((1, 1, (8, "?string")), (2, 2, (8, "?string", "tags"))),
    ),
    "ResponseHeader": (("none", "refuse", None), ((0, 0, (4,)), (1, 1, (4, "tags")))),
    "ShareGroupCurrentMemberAssignmentKey": (
        ("record-type", "refuse", 14),
        ((0, 0, ("string", "string")),),
    ),
    "ShareGroupCurrentMemberAssignmentValue": (
        ("version", "refuse", 14),
        ((0, 0, (9, ("varint", (16, ("varint", (4,)), "tags")), "tags")),),
    ),
    "ShareGroupMemberMetadataKey": (("record-type", "refuse", 10), ((0, 0, ("string", "string")),)),
    "ShareGroupMemberMetadataValue": (
        ("version", "refuse", 10),
        (
            (
                0,
                0,
                (
                    "?varint bytes",
                    "varint bytes",
                    "varint bytes",
                    ("varint", ("varint bytes",)),
                    "tags",
                ),
            ),
        ),
    ),
    "ShareGroupMetadataKey": (("record-type", "refuse", 11), ((0, 0, ("string",)),)),
    "ShareGroupMetadataValue": (("version", "refuse", 11), ((0, 0, (12, "tags")),)),
    "ShareGroupStatePartitionMetadataKey": (("record-type", "refuse", 15), ((0, 0, ("string",)),)),
    "ShareGroupStatePartitionMetadataValue": (
        ("version", "refuse", 15),
        (
            (
                0,
                0,
                (
                    ("varint", (16, "varint bytes", ("varint", (4,)), "tags")),
                    ("varint", (16, "varint bytes", ("varint", (4,)), "tags")),
                    ("varint", (16, "varint bytes", "tags")),
                    "tags",
                ),
            ),
        ),
    ),
    "ShareGroupTargetAssignmentMemberKey": (
        ("record-type", "refuse", 13),
        ((0, 0, ("string", "string")),),
    ),
    "ShareGroupTargetAssignmentMemberValue": (
        ("version", "refuse", 13),
        ((0, 0, (("varint", (16, ("varint", (4,)), "tags")), "tags")),),
    ),
    "ShareGroupTargetAssignmentMetadataKey": (
        ("record-type", "refuse", 12),
        ((0, 0, ("string",)),),
    ),
    "ShareGroupTargetAssignmentMetadataValue": (("version", "refuse", 12), ((0, 0, (4, "tags")),)),
    "StickyAssignorUserData": (
        ("none", "refuse", None),
        (
            (0, 0, (("int32", ("string", ("int32", (4,)))),)),
            (1, 1, (("int32", ("string", ("int32", (4,)))), 4)),
        ),
    ),
    "StreamJoinAssignmentUserData": (("version", "refuse", None), ((0, 0, (4,)),)),
    "StreamJoinSubscriptionUserData": (
        ("version", "refuse", None),
        ((0, 0, (("int32", (4,)), 4)),),
    ),
    "StreamsGroupCurrentMemberAssignmentKey": (
        ("record-type", "refuse", 22),
        ((0, 0, ("string", "string")),),
    ),
    "StreamsGroupCurrentMemberAssignmentValue": (
        ("version", "refuse", 22),
        (
            (
                0,
                0,
                (
                    9,
                    ("varint", ("varint bytes", ("varint", (4,)), "tags")),
                    ("varint", ("varint bytes", ("varint", (4,)), "tags")),
                    ("varint", ("varint bytes", ("varint", (4,)), "tags")),
                    ("varint", ("varint bytes", ("varint", (4,)), "tags")),
                    ("varint", ("varint bytes", ("varint", (4,)), "tags")),
                    ("varint", ("varint bytes", ("varint", (4,)), "tags")),
                    "tags",
                ),
            ),
        ),
    ),
    "StreamsGroupDescribeRequest": (
        ("none", "refuse", 89),
        (
            (0, 0, (("varint", ("varint bytes",)), 1, "tags")),
            (1, 1, (("varint", ("varint bytes",)), 2, "tags")),
        ),
    ),
    "StreamsGroupDescribeResponse": (
        ("none", "refuse", 89),
        (
            (
                0,
                0,
                (
                    4,
                    (
                        "varint",
                        (
                            2,
                            "?varint bytes",
                            "varint bytes",
                            "varint bytes",
                            8,
                            (
                                "struct",
                                (
                                    4,
                                    (
                                        "?varint",
                                        (
                                            "varint bytes",
                                            ("varint", ("varint bytes",)),
                                            ("varint", ("varint bytes",)),
                                            (
                                                "varint",
                                                (
                                                    "varint bytes",
                                                    6,
                                                    (
                                                        "varint",
                                                        ("varint bytes", "varint bytes", "tags"),
                                                    ),
                                                    "tags",
                                                ),
                                            ),
                                            (
                                                "varint",
                                                (
                                                    "varint bytes",
                                                    6,
                                                    (
                                                        "varint",
                                                        ("varint bytes", "varint bytes", "tags"),
                                                    ),
                                                    "tags",
                                                ),
                                            ),
                                            "tags",
                                        ),
                                    ),
                                    "tags",
                                ),
                            ),
                            (
                                "varint",
                                (
                                    "varint bytes",
                                    4,
                                    "?varint bytes",
                                    "?varint bytes",
                                    "varint bytes",
                                    "varint bytes",
                                    4,
                                    "varint bytes",
                                    ("struct", ("varint bytes", 2, "tags")),
                                    ("varint", ("varint bytes", "varint bytes", "tags")),
                                    ("varint", ("varint bytes", 12, "tags")),
                                    ("varint", ("varint bytes", 12, "tags")),
                                    ("varint", ("varint bytes", ("varint", (4,)), "tags")),
                                    ("varint", ("varint bytes", ("varint", (4,)), "tags")),
                                    ("varint", ("varint bytes", ("varint", (4,)), "tags")),
                                    "tags",
                                    ("varint", ("varint bytes", ("varint", (4,)), "tags")),
                                    ("varint", ("varint bytes", ("varint", (4,)), "tags")),
                                    ("varint", ("varint bytes", ("varint", (4,)), "tags")),
                                    "tags",
                                    1,
                                    "tags",
                                ),
                            ),
                            4,
                            "tags",
                        ),
                    ),
                    "tags",
                ),
            ),
            (
                1,
                1,
                (
                    4,
                    (
                        "varint",
                        (
                            2,
                            "?varint bytes",
                            "varint bytes",
                            "varint bytes",
                            8,
                            (
                                "struct",
                                (
                                    4,
                                    (
                                        "?varint",
                                        (
                                            "varint bytes",
                                            ("varint", ("varint bytes",)),
                                            ("varint", ("varint bytes",)),
                                            (
                                                "varint",
                                                (
                                                    "varint bytes",
                                                    6,
                                                    (
                                                        "varint",
                                                        ("varint bytes", "varint bytes", "tags"),
                                                    ),
                                                    "tags",
                                                ),
                                            ),
                                            (
                                                "varint",
                                                (
                                                    "varint bytes",
                                                    6,
                                                    (
                                                        "varint",
                                                        ("varint bytes", "varint bytes", "tags"),
                                                    ),
                                                    "tags",
                                                ),
                                            ),
                                            "tags",
                                        ),
                                    ),
                                    "tags",
                                ),
                            ),
                            (
                                "varint",
                                (
                                    "varint bytes",
                                    4,
                                    "?varint bytes",
                                    "?varint bytes",
                                    "varint bytes",
                                    "varint bytes",
                                    4,
                                    "varint bytes",
                                    ("struct", ("varint bytes", 2, "tags")),
                                    ("varint", ("varint bytes", "varint bytes", "tags")),
                                    ("varint", ("varint bytes", 12, "tags")),
                                    ("varint", ("varint bytes", 12, "tags")),
                                    ("varint", ("varint bytes", ("varint", (4,)), "tags")),
                                    ("varint", ("varint bytes", ("varint", (4,)), "tags")),
                                    ("varint", ("varint bytes", ("varint", (4,)), "tags")),
                                    "tags",
                                    ("varint", ("varint bytes", ("varint", (4,)), "tags")),
                                    ("varint", ("varint bytes", ("varint", (4,)), "tags")),
                                    ("varint", ("varint bytes", ("varint", (4,)), "tags")),
                                    "tags",
                                    1,
                                    "tags",
                                ),
                            ),
                            4,
                            (
                                "struct",
                                (
                                    (
                                        "varint",
                                        (
                                            "varint bytes",
                                            (
                                                "varint",
                                                (
                                                    "varint bytes",
                                                    1,
                                                    ("varint", ("varint bytes",)),
                                                    "?varint bytes",
                                                    ("varint", ("varint bytes",)),
                                                    ("varint", ("varint bytes",)),
                                                    "tags",
                                                ),
                                            ),
                                            "tags",
                                        ),
                                    ),
                                    (
                                        "varint",
                                        (
                                            "varint bytes",
                                            1,
                                            ("varint", ("varint bytes",)),
                                            "?varint bytes",
                                            ("varint", ("varint bytes",)),
                                            ("varint", ("varint bytes",)),
                                            "tags",
                                            "varint bytes",
                                            1,
                                            ("varint", ("varint bytes",)),
                                            "?varint bytes",
                                            ("varint", ("varint bytes",)),
                                            ("varint", ("varint bytes",)),
                                            "tags",
                                            "tags",
                                        ),
                                    ),
                                    "tags",
                                ),
                            ),
                            1,
                            "?varint bytes",
                            "tags",
                        ),
                    ),
                    "tags",
                ),
            ),
        ),
    ),
    "StreamsGroupHeartbeatRequest": (
        ("none", "refuse", 88),
        (
            (
                0,
                1,
                (
                    "varint bytes",
                    "varint bytes",
                    8,
                    "?varint bytes",
                    "?varint bytes",
                    4,
                    (
                        "struct",
                        (
                            4,
                            (
                                "varint",
                                (
                                    "varint bytes",
                                    ("varint", ("varint bytes",)),
                                    ("varint", ("varint bytes",)),
                                    (
                                        "varint",
                                        (
                                            "varint bytes",
                                            6,
                                            ("varint", ("varint bytes", "varint bytes", "tags")),
                                            "tags",
                                        ),
                                    ),
                                    ("varint", ("varint bytes",)),
                                    (
                                        "varint",
                                        (
                                            "varint bytes",
                                            6,
                                            ("varint", ("varint bytes", "varint bytes", "tags")),
                                            "tags",
                                        ),
                                    ),
                                    (
                                        "varint",
                                        (
                                            ("varint", (2,)),
                                            ("varint", (2,)),
                                            ("varint", (2,)),
                                            "tags",
                                        ),
                                    ),
                                    "tags",
                                ),
                            ),
                            "tags",
                        ),
                    ),
                    ("?varint", ("varint bytes", ("varint", (4,)), "tags")),
                    ("?varint", ("varint bytes", ("varint", (4,)), "tags")),
                    ("?varint", ("varint bytes", ("varint", (4,)), "tags")),
                    "?varint bytes",
                    ("struct", ("varint bytes", 2, "tags")),
                    ("?varint", ("varint bytes", "varint bytes", "tags")),
                    ("?varint", ("varint bytes", 12, "tags")),
                    ("?varint", ("varint bytes", 12, "tags")),
                    1,
                    "tags",
                ),
            ),
        ),
    ),
    "StreamsGroupHeartbeatResponse": (
        ("none", "refuse", 88),
        (
            (
                0,
                0,
                (
                    6,
                    "?varint bytes",
                    "varint bytes",
                    16,
                    ("?varint", (1, "varint bytes", "tags")),
                    ("?varint", ("varint bytes", ("varint", (4,)), "tags")),
                    ("?varint", ("varint bytes", ("varint", (4,)), "tags")),
                    ("?varint", ("varint bytes", ("varint", (4,)), "tags")),
                    4,
                    (
                        "?varint",
                        (
                            "varint bytes",
                            2,
                            "tags",
                            ("varint", ("varint bytes", ("varint", (4,)), "tags")),
                            ("varint", ("varint bytes", ("varint", (4,)), "tags")),
                            "tags",
                        ),
                    ),
                    "tags",
                ),
            ),
            (
                1,
                1,
                (
                    6,
                    "?varint bytes",
                    "varint bytes",
                    20,
                    ("?varint", (1, "varint bytes", "tags")),
                    ("?varint", ("varint bytes", ("varint", (4,)), "tags")),
                    ("?varint", ("varint bytes", ("varint", (4,)), "tags")),
                    ("?varint", ("varint bytes", ("varint", (4,)), "tags")),
                    5,
                    (
                        "?varint",
                        (
                            "varint bytes",
                            2,
                            "tags",
                            ("varint", ("varint bytes", ("varint", (4,)), "tags")),
                            ("varint", ("varint bytes", ("varint", (4,)), "tags")),
                            "tags",
                        ),
                    ),
                    "tags",
                ),
            ),
        ),
    ),
    "StreamsGroupMemberMetadataKey": (
        ("record-type", "refuse", 19),
        ((0, 0, ("string", "string")),),
    ),
    "StreamsGroupMemberMetadataValue": (
        ("version", "refuse", 19),
        (
            (
                0,
                0,
                (
                    "?varint bytes",
                    "?varint bytes",
                    "varint bytes",
                    "varint bytes",
                    8,
                    "varint bytes",
                    ("struct", ("varint bytes", 2, "tags")),
                    ("varint", ("varint bytes", "varint bytes", "tags")),
                    "tags",
                ),
            ),
        ),
    ),
    "StreamsGroupMetadataKey": (("record-type", "refuse", 17), ((0, 0, ("string",)),)),
    "StreamsGroupMetadataValue": (("version", "refuse", 17), ((0, 0, (12, "tags")),)),
    "StreamsGroupTargetAssignmentMemberKey": (
        ("record-type", "refuse", 21),
        ((0, 0, ("string", "string")),),
    ),
    "StreamsGroupTargetAssignmentMemberValue": (
        ("version", "refuse", 21),
        (
            (
                0,
                0,
                (
                    ("varint", ("varint bytes", ("varint", (4,)), "tags")),
                    ("varint", ("varint bytes", ("varint", (4,)), "tags")),
                    ("varint", ("varint bytes", ("varint", (4,)), "tags")),
                    "tags",
                ),
            ),
        ),
    ),
    "StreamsGroupTargetAssignmentMetadataKey": (
        ("record-type", "refuse", 20),
        ((0, 0, ("string",)),),
    ),
    "StreamsGroupTargetAssignmentMetadataValue": (
        ("version", "refuse", 20),
        ((0, 0, (4, "tags")),),
    ),
    "StreamsGroupTopologyKey": (("record-type", "refuse", 23), ((0, 0, ("string",)),)),
    "StreamsGroupTopologyValue": (
        ("version", "refuse", 23),
        (
            (
                0,
                0,
                (
                    4,
                    (
                        "varint",
                        (
                            "varint bytes",
                            ("varint", ("varint bytes",)),
                            ("varint", ("varint bytes",)),
                            (
                                "varint",
                                (
                                    "varint bytes",
                                    6,
                                    ("varint", ("varint bytes", "varint bytes", "tags")),
                                    "tags",
                                ),
                            ),
                            ("varint", ("varint bytes",)),
                            (
                                "varint",
                                (
                                    "varint bytes",
                                    6,
                                    ("varint", ("varint bytes", "varint bytes", "tags")),
                                    "tags",
                                ),
                            ),
                            (
                                "varint",
                                (("varint", (2,)), ("varint", (2,)), ("varint", (2,)), "tags"),
                            ),
                            "tags",
                        ),
                    ),
                    "tags",
                ),
            ),
        ),
    ),
    "SubscriptionInfoData": (
        ("version32", "head", None),
        (
            (1, 1, (20, ("int32", (8,)), ("int32", (8,)))),
            (2, 2, (20, ("int32", (8,)), ("int32", (8,)), "bytes")),
            (3, 6, (24, ("int32", (8,)), ("int32", (8,)), "bytes")),
            (7, 7, (24, "bytes", ("int32", (4, ("int32", (12,)))))),
            (8, 8, (24, "bytes", ("int32", (4, ("int32", (12,)))), 1)),
            (9, 9, (24, "bytes", ("int32", (4, ("int32", (12,)))), 5)),
            (10, 10, (24, "bytes", ("int32", (16, "?string")), 5)),
            (11, 11, (24, "bytes", ("int32", (16, "?string")), 5, ("int32", ("bytes", "bytes")))),
        ),
    ),
    "SyncGroupRequest": (
        ("none", "refuse", 14),
        (
            (0, 2, ("string", 4, "string", ("int32", ("string", "bytes")))),
            (3, 3, ("string", 4, "string", "?string", ("int32", ("string", "bytes")))),
            (
                4,
                4,
                (
                    "varint bytes",
                    4,
                    "varint bytes",
                    "?varint bytes",
                    ("varint", ("varint bytes", "varint bytes", "tags")),
                    "tags",
                ),
            ),
            (
                5,
                5,
                (
                    "varint bytes",
                    4,
                    "varint bytes",
                    "?varint bytes",
                    "?varint bytes",
                    "?varint bytes",
                    ("varint", ("varint bytes", "varint bytes", "tags")),
                    "tags",
                ),
            ),
        ),
    ),
    "SyncGroupResponse": (
        ("none", "refuse", 14),
        (
            (0, 0, (2, "bytes")),
            (1, 3, (6, "bytes")),
            (4, 4, (6, "varint bytes", "tags")),
            (5, 5, (6, "?varint bytes", "?varint bytes", "varint bytes", "tags")),
        ),
    ),
}
