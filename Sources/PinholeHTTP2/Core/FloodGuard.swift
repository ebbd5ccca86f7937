import PinholeModel

/// Counts frames that cause work but carry no message, and notes if a peer sends too many of them.
///
/// There is one token bucket for each kind of frame. A bucket is refilled by time and by useful traffic, so that a
/// long and busy connection is not punished for its age.
struct FloodGuard {
    /// A kind of frame of which a peer may send too many.
    enum Kind: String {
        case reset = "reset streams"
        case settings = "SETTINGS"
        case ping = "PING"
        case priority = "PRIORITY"
        case windowUpdate = "WINDOW_UPDATE"
        case emptyData = "empty DATA"
        case interim = "interim responses"
        case extensionFrame = "frames of extensions"
    }

    /// A token bucket: one allowance, and the tokens that are left of it.
    private struct Bucket {
        let allowance: HTTP2Limits.Allowance
        var tokens: Int

        init(_ allowance: HTTP2Limits.Allowance) {
            self.allowance = allowance
            tokens = allowance.burst
        }

        /// Takes one token; returns `false` if there was none left.
        mutating func spend() -> Bool {
            tokens -= 1
            return tokens >= 0
        }

        mutating func earn(_ count: Int) { tokens = min(tokens + count, allowance.burst) }
    }

    private var reset, settings, ping, priority, windowUpdate, emptyData, interim, extensionFrame: Bucket
    private var refilled = Timestamp(microseconds: 0)
    /// The first kind of which the peer has sent too many; `nil` if there is none.
    private(set) var excess: Kind?

    /// The time between two refills in microseconds; short enough for the smallest rate.
    private static let interval: Int64 = 200_000

    init(limits: HTTP2Limits) {
        reset = Bucket(limits.resets)
        settings = Bucket(limits.settings)
        ping = Bucket(limits.pings)
        priority = Bucket(limits.priorities)
        windowUpdate = Bucket(limits.windowUpdates)
        emptyData = Bucket(limits.emptyData)
        interim = Bucket(limits.interims)
        // Such a frame is as cheap as one with a priority.
        extensionFrame = Bucket(limits.priorities)
    }

    /// Takes one token for a frame.
    mutating func spend(_ kind: Kind) {
        let isAllowed =
            switch kind {
            case .reset: reset.spend()
            case .settings: settings.spend()
            case .ping: ping.spend()
            case .priority: priority.spend()
            case .windowUpdate: windowUpdate.spend()
            case .emptyData: emptyData.spend()
            case .interim: interim.spend()
            case .extensionFrame: extensionFrame.spend()
            }
        if !isAllowed, excess == nil { excess = kind }
    }

    /// Adds the tokens that a new stream earns.
    mutating func streamOpened() {
        priority.earn(4)
        extensionFrame.earn(4)
        interim.earn(4)
        windowUpdate.earn(4)
    }

    /// Adds the token that a stream earns by ending without an error.
    mutating func streamCompleted() { reset.earn(1) }

    /// Adds the tokens that a DATA frame earns that we sent.
    mutating func dataSent() {
        ping.earn(1)
        windowUpdate.earn(4)
    }

    /// Adds the token that a received DATA frame with content earns.
    mutating func dataReceived() { emptyData.earn(1) }

    /// Adds the tokens that the time since the last refill earns.
    mutating func refill(at now: Timestamp) {
        let elapsed = now.microseconds - refilled.microseconds
        guard elapsed >= Self.interval else { return }
        refilled = now
        // A minute of refilling fills every bucket.
        let seconds = Double(min(elapsed, 60_000_000)) / 1_000_000
        for bucket in [
            \Self.reset, \.settings, \.ping, \.priority, \.windowUpdate, \.emptyData, \.interim,
            \.extensionFrame,
        ] {
            self[keyPath: bucket].earn(Int(seconds * Double(self[keyPath: bucket].allowance.perSecond)))
        }
    }
}
