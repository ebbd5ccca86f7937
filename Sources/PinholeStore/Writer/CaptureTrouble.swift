/// What a user must be told about the capture while it runs.
///
/// Each is reported once.
package enum CaptureTrouble: Sendable, Equatable, CustomStringConvertible {
    /// Nothing can be written, and recording has stopped; traffic flows on. The text is the reason.
    case stoppedCapture(path: String, reason: String)
    /// Nothing can be written, and traffic waits until it can be. The text is the reason.
    case stoppedTraffic(path: String, reason: String)
    /// Writing works again; traffic goes on and nothing was lost.
    case resumed(path: String)

    /// What happened and what to do.
    package var description: String {
        switch self {
        case .stoppedCapture(let path, let reason):
            "THE CAPTURE HAS STOPPED: \(path) cannot be written: \(reason). "
                + "Traffic flows on and is NOT recorded. Make room and start again."
        case .stoppedTraffic(let path, let reason):
            "TRAFFIC HAS STOPPED: \(path) cannot be written: \(reason). "
                + "It goes on by itself as soon as there is room; writing is tried every second."
        case .resumed(let path):
            "The capture \(path) can be written again; traffic goes on, and nothing was lost."
        }
    }
}
