package import PinholeModel

/// A problem with the capture that the user must know.
///
/// Each problem is reported once.
package enum CaptureProblem: Sendable, Equatable, CustomStringConvertible {
    /// Nothing can be written any more.
    case stopped(CaptureStandstill)
    /// Writing works again; traffic continues and nothing was lost.
    case resumed(path: String)

    /// The message: the problem and the remedy.
    package var description: String {
        switch self {
        case .stopped(let standstill): standstill.description
        case .resumed(let path):
            "The capture \(path) can be written again; traffic goes on, and nothing was lost."
        }
    }
}

/// The time since which nothing is written to a capture, the reason and the remedy.
package struct CaptureStandstill: Sendable, Equatable, CustomStringConvertible {
    /// The path of the capture.
    package let path: String
    /// The time of the first batch that could not be written.
    package let since: Timestamp
    /// Whether recording has ended and traffic continues unrecorded; otherwise traffic waits.
    package let isFinal: Bool
    /// The reason, as a part of a sentence.
    package let reason: String
    /// The remedy, in one sentence.
    package let remedy: String

    init(path: String, since: Timestamp, isFinal: Bool, error: any Error) {
        self.path = path
        self.since = since
        self.isFinal = isFinal
        reason = "\(error)"
        remedy =
            if error is CaptureLoss {
                "Start Pinhole again to record into a new file, or stop it and put the old file back."
            } else if isFinal {
                "Make room and start again."
            } else {
                "It goes on by itself as soon as there is room; writing is tried every second."
            }
    }

    /// The event, its reason and the remedy.
    package var description: String {
        let what =
            isFinal
            ? "THE CAPTURE HAS STOPPED: \(path) cannot be written: \(reason). Traffic flows on and is NOT recorded."
            : "TRAFFIC HAS STOPPED: \(path) cannot be written: \(reason)."
        return "\(what) \(remedy)"
    }
}
