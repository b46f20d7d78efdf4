"""The structures of [MS-MQCN] 2.2 as one C text."""

from __future__ import annotations

MQCN = r"""
// ------------------------------------------------------------------ [MS-MQCN] 2.2.5 Notification Body
// A queue manager's notification, as text.
struct NotificationBody {
    wchar  Text[EOF];                   // the text of the notification, and the bytes after it; the name is ours
    char   Unused[EOF];                 // the odd byte after the text, if there is one; the name is ours
};

// ------------------------------------------------------------------ [MS-MQCN] 2.2.6 Notification Update; byte for byte a DirectoryChange
// One change of a queue or a machine, with the layout of `mqdsrp.DirectoryChange`.
struct NotificationUpdate {
    uint8  Command;                     // the operation on the object
    uint8  UseGuid;                     // 0: PathName names the object, 1: GuidIdentifier does
    wchar  PathName[];                  // path name of the object, terminator not included; present if UseGuid is 0
    GUID   GuidIdentifier;              // identifier of the object; present if UseGuid is 1
    GUID   GuidMasterId;                // directory server where the change was made
    char   Reserved[24];                // any value
    uint8  NumberOfProperties;          // count of properties
    uint32 PropertyId[NumberOfProperties]; // identifiers of the properties
    void   PropertyValue;               // their values, each in the form that its identifier asks for
};

// ------------------------------------------------------------------ [MS-MQCN] 2.2.4 Data of version 1; the structure's name is ours
// The updates of one message of version 1.
struct NotificationUpdates {
    NotificationUpdate Updates[NumberOfUpdateNotifications]; // the updates, without padding between them; the name is ours
    char   Unused[EOF];                 // the byte that the sender's buffer has too many; the name is ours
};

// ------------------------------------------------------------------ [MS-MQCN] 2.2.4 Change Notification Message
// Notifies a queue manager of changes in the directory.
struct ChangeNotificationMessage {
    uint8  Version;                     // 1: from a directory service, 2: from a queue manager
    uint8  NumberOfUpdateNotifications; // count of updates; 1 in version 2
    void   Data;                        // updates or a body, selected by Version
};
"""
