import PinholeModel

/// Counts frames that cost us work and carry no message, and says when a peer sends too many.
///
/// One bucket for each kind. It refills with time and with what is useful, so that a long and busy
/// connection is never punished for its age.
struct FloodGuard {
    /// What a peer may overdo.
    enum Kind: String {
        case reset = "reset streams"
        case settings = "SETTINGS"
        case ping = "PING"
        case priority = "PRIORITY"
        case windowUpdate = "WINDOW_UPDATE"
        case emptyData = "empty DATA"
        case interim = "interim responses"
    }

    /// One allowance and what is left of it.
    private struct Bucket {
        let allowance: HTTP2Limits.Allowance
        var tokens: Int

        init(_ allowance: HTTP2Limits.Allowance) {
            self.allowance = allowance
            tokens = allowance.burst
        }

        /// Takes one; `false` when there is none left.
        mutating func spend() -> Bool {
            tokens -= 1
            return tokens >= 0
        }

        mutating func earn(_ count: Int) { tokens = min(tokens + count, allowance.burst) }
    }

    private var reset, settings, ping, priority, windowUpdate, emptyData, interim: Bucket
    private var refilled = Timestamp(microseconds: 0)
    /// What the peer has overdone.
    private(set) var excess: Kind?

    /// How often time is looked at: often enough for the smallest rate.
    private static let interval: Int64 = 200

    init(limits: HTTP2Limits) {
        reset = Bucket(limits.resets)
        settings = Bucket(limits.settings)
        ping = Bucket(limits.pings)
        priority = Bucket(limits.priorities)
        windowUpdate = Bucket(limits.windowUpdates)
        emptyData = Bucket(limits.emptyData)
        interim = Bucket(limits.interims)
    }

    /// Takes one frame off the allowance.
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
            }
        if !isAllowed, excess == nil { excess = kind }
    }

    /// Adds what a new stream earns.
    mutating func streamOpened() {
        priority.earn(4)
        interim.earn(4)
        windowUpdate.earn(4)
    }

    /// Adds what a stream earns that ended well.
    mutating func streamCompleted() { reset.earn(1) }

    /// Adds what a DATA frame earns that we sent.
    mutating func dataSent() {
        ping.earn(1)
        windowUpdate.earn(4)
    }

    /// Adds what a DATA frame with bytes earns.
    mutating func dataReceived() { emptyData.earn(1) }

    /// Adds what time earns.
    mutating func refill(at now: Timestamp) {
        let elapsed = (now - refilled).milliseconds
        guard elapsed >= Self.interval else { return }
        refilled = now
        // A minute fills every bucket.
        let seconds = Double(min(elapsed, 60_000)) / 1000
        for bucket in [\Self.reset, \.settings, \.ping, \.priority, \.windowUpdate, \.emptyData, \.interim] {
            self[keyPath: bucket].earn(Int(seconds * Double(self[keyPath: bucket].allowance.perSecond)))
        }
    }
}
