package import PinholeModel

/// What a user must be told about the capture while it runs.
///
/// Each is reported once.
package enum CaptureTrouble: Sendable, Equatable, CustomStringConvertible {
    /// Nothing can be written any more.
    case stopped(CaptureStandstill)
    /// Writing works again; traffic goes on and nothing was lost.
    case resumed(path: String)

    /// What happened and what to do.
    package var description: String {
        switch self {
        case .stopped(let standstill): standstill.description
        case .resumed(let path):
            "The capture \(path) can be written again; traffic goes on, and nothing was lost."
        }
    }
}

/// Since when and why nothing reaches a capture that should be recorded into.
package struct CaptureStandstill: Sendable, Equatable, CustomStringConvertible {
    /// The file.
    package let path: String
    /// When the first batch could not be written.
    package let since: Timestamp
    /// Whether recording has ended and traffic flows on unrecorded; otherwise traffic waits.
    package let isFinal: Bool
    /// Why, as a part of a sentence.
    package let reason: String
    /// What to do, in one sentence.
    package let remedy: String

    init(path: String, since: Timestamp, isFinal: Bool, error: any Error) {
        self.path = path
        self.since = since
        self.isFinal = isFinal
        reason = CaptureSchema.reason(error)
        remedy =
            if error is CaptureLoss {
                "Start Pinhole again to record into a new file, or stop it and put the old file back."
            } else if isFinal {
                "Make room and start again."
            } else {
                "It goes on by itself as soon as there is room; writing is tried every second."
            }
    }

    /// What happened, why, and what to do.
    package var description: String {
        let what =
            isFinal
            ? "THE CAPTURE HAS STOPPED: \(path) cannot be written: \(reason). Traffic flows on and is NOT recorded."
            : "TRAFFIC HAS STOPPED: \(path) cannot be written: \(reason)."
        return "\(what) \(remedy)"
    }
}
