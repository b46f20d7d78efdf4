"""Switches for ambiguous statements of [MC-MQDSRP], and constants that it leaves to implementations.

1. Every field of `Readings` is False for the interpretation of this library, with which replicas converge,
   and True for the other one.  The errata have the reasons.
2. `AS_PRINTED` follows the literal text of the document wherever that is possible.  By some of its rules,
   replicas never converge or servers never stop sending: use it to simulate servers that behave so, or to
   test whether they do.
3. `Settings` are the numbers of the document and of its product notes.
"""

from __future__ import annotations

import msgspec


class Readings(msgspec.Struct, frozen=True, kw_only=True):
    """The interpretations of a machine; all of them are switches, off by default.

    Attributes:
        requests_by_path_only: A change request never has a GUID (errata D5).
        own_number_as_purged: A propagated change has its own number as PurgedSeqNumber (errata D6).
        descending_replies: A sync reply has the newest change first (errata D7).
        ask_from_next: A sync request begins after LastSeqNumber, as in the example (errata D8).
        all_deleted_objects: A sync reply has the deleted objects of all partitions and numbers (errata D9).
        masked_priority: Priority 8 is sent as 0, its low three bits (errata D10).
        flush_to_bsc: Changes for a BSC have Flush 0x01 (errata D12).
        allowed_purge_in_headers: A header for a BSC has AllowedPurgeSeqNumber of foreign partitions instead
            of PurgedSeqNumber (errata D13).
        site_from_property: A new site that comes in a synchronization is known by PROPID_S_SITEID only, which
            such a change does not have (errata D16).
        neighbor_of_enterprise: The PSC of a created site is a neighbor of the enterprise partition, in which
            the site was created (errata D17).
        purge_below_zero: The purge limit of a young partition wraps, and PurgedSeqNumber is never raised
            (errata D18).
        site_of_forwarder: A forwarded request gets the SiteID of the server that forwards it (errata D24).
        ask_each_time: A change out of order leads to a sync request, whatever was requested before (errata
            D29).
        scope_in_lookup: A sync request of a PSC is answered without the queues of site scope (errata D52).
        pending_by_own_number: The window is checked with the own numbers of pending changes (errata D34).
        window_hides_loss: A SeqNumberHeader below the window causes no request, although the earlier one may
            have been lost (errata D35).
        ask_up_to_window: A sync request ends at the window (errata D36).
        pending_between: Pending changes are processed after each change of a sync reply (errata D37).
        absent_is_error: Deleting an object that does not exist is an error that stops the partition (errata
            D38).
        authority_keeps_deletions: Only an authority to which a deletion was requested stores it (errata D39).
        own_types_only: A PSC can answer for its own partitions only (errata D40).
        bsc_propagates: A BSC has the PSCs of other sites as neighbors (errata D41).
        only_pec_deletes_sites: On other servers than the PEC a deleted site stays (errata D42).
        one_header_clock: A header to one neighbor counts for all (errata D43).
        stuck_in_startsync0: A restart does not continue an interrupted reset (errata D44).
        number_from_empty_reply: An empty reply sets LastSeqNumber, also to a smaller one (errata D45).
        incomplete_sync0: A reply completes the sync0 state although it was not applied whole, or ends below
            PurgedSeqNumber (errata D45).
        given_name_only: Neighbors and partitions are found by the name or GUID that a change happens to
            have (errata D46).
        requests_not_propagated: A requested change is not propagated to neighbors (errata D47).
        authority_never_purges: Only replicas purge deleted objects (errata D49).
        any_partition: A request may change objects of another partition than it names (errata D51).
        deleted_come_back: A creation may restore a deleted object (errata D53).
        creation_as_given: A creation that arrived without its GUID or path name in its properties is sent on
            without them (errata D50).
        own_partition_from_others: An authority takes changes, replies and numbers of its own partition from
            others (errata D54).
        acknowledged_is_purged: An authority purges up to the least acknowledged number, whatever the buffer
            (errata D55).
        requests_in_circles: A request that already waits here is forwarded again (errata D56).
        impossible_changes: A change that can never be in order is kept and requested (errata D58).
    """

    requests_by_path_only: bool = False
    own_number_as_purged: bool = False
    descending_replies: bool = False
    ask_from_next: bool = False
    all_deleted_objects: bool = False
    masked_priority: bool = False
    flush_to_bsc: bool = False
    allowed_purge_in_headers: bool = False
    site_from_property: bool = False
    neighbor_of_enterprise: bool = False
    purge_below_zero: bool = False
    site_of_forwarder: bool = False
    ask_each_time: bool = False
    scope_in_lookup: bool = False
    pending_by_own_number: bool = False
    window_hides_loss: bool = False
    ask_up_to_window: bool = False
    pending_between: bool = False
    absent_is_error: bool = False
    authority_keeps_deletions: bool = False
    own_types_only: bool = False
    bsc_propagates: bool = False
    only_pec_deletes_sites: bool = False
    one_header_clock: bool = False
    stuck_in_startsync0: bool = False
    number_from_empty_reply: bool = False
    incomplete_sync0: bool = False
    given_name_only: bool = False
    requests_not_propagated: bool = False
    authority_never_purges: bool = False
    any_partition: bool = False
    deleted_come_back: bool = False
    creation_as_given: bool = False
    own_partition_from_others: bool = False
    acknowledged_is_purged: bool = False
    requests_in_circles: bool = False
    impossible_changes: bool = False


_NOT_IN_THE_TEXT = {"ask_from_next", "masked_priority", "flush_to_bsc", "site_of_forwarder", "ask_each_time"}
AS_PRINTED = Readings(**{name: name not in _NOT_IN_THE_TEXT for name in Readings.__struct_fields__})
"""The literal document, also where replicas cannot converge."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Constants; durations are in seconds.

    Attributes:
        intersite: Change Propagation Timer for another site's PSC (product note 6).
        intrasite: Change Propagation Timer for a BSC (product note 6).
        first_bsc_ack: BSC Ack Timer after a start (product note 7).
        bsc_ack: BSC Ack Timer from then on (product note 7).
        header: Interval of SeqNumberHeaders (product note 12).
        reply_wait: How long a request to the authority waits (product note 11).
        forwarded_wait: How long a forwarded request waits (product note 11).
        reset_retry: Pause before a failed reset of a partition is tried again; the document has none.
        pending: Maximum number of pending changes, [MC-MQDSRP] 3.1.7.2.2.
        purge_buffer: Minimum number of changes for which a deletion is kept, [MC-MQDSRP] 3.1.7.2.9.
        purge_interval: Number of changes between two purges, [MC-MQDSRP] 3.1.7.2.3.
        ack_interval: Number of changes between two acknowledgments of a PSC; 256 by [MC-MQDSRP] 3.1.7.2.3.
        empty_propagations: Whether a propagation without changes is sent, as in 3.3.7.2.
    """

    intersite: float = 10
    intrasite: float = 2
    first_bsc_ack: float = 5
    bsc_ack: float = 12 * 60 * 60
    header: float = 20 * 60
    reply_wait: float = 10
    forwarded_wait: float = 20
    reset_retry: float = 60
    pending: int = 100
    purge_buffer: int = 1024
    purge_interval: int = 256
    ack_interval: int = 256
    empty_propagations: bool = True
