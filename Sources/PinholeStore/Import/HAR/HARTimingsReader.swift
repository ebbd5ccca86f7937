import PinholeModel

/// Reads the timings of an entry.
struct HARTimingsReader {
    private let timings: JSONValue
    private let total: Duration?
    /// The time of a set-up before the exchange began; only Pinhole writes it, and HAR counts it into the entry.
    private let setUpBefore: Duration?

    /// The longest stage in milliseconds, about thirty years; a longer one is invalid.
    private static let longest = 1e12

    /// Creates a reader of the entry's object.
    init(_ entry: JSONValue) {
        timings = entry["timings"] ?? .null
        total = Self.duration(entry["time"])
        setUpBefore = Self.duration(entry["_setUpBefore"])
    }

    /// Returns the times at which the stages were reached.
    ///
    /// - Parameters:
    ///   - started: The beginning of the first stage.
    ///   - hasResponse: Whether the entry has a response.
    /// - Returns: The timings.
    func timings(from started: Timestamp, hasResponse: Bool) -> ExchangeTimings {
        let started = started + (setUpBefore ?? .zero)
        var result = ExchangeTimings(started: started)
        result.blocked = stage("blocked")
        result.resolve = stage("dns")
        result.tls = stage("ssl")
        // In HAR the TLS handshake is a part of connecting.
        result.connect = stage("connect").map { max($0 - (result.tls ?? .zero), .zero) }
        let setUp = setUpBefore == nil ? (result.resolve ?? .zero) + (stage("connect") ?? .zero) : .zero
        let before = (result.blocked ?? .zero) + setUp
        guard let send = stage("send"), let wait = stage("wait"), let receive = stage("receive") else {
            result.ended = started + max((total ?? .zero) - (setUpBefore ?? .zero), .zero)
            return result
        }
        let sent = started + before + send
        result.requestEnded = sent
        if hasResponse { result.responseStarted = sent + wait }
        result.ended = sent + wait + receive
        return result
    }

    private func stage(_ name: String) -> Duration? { Self.duration(timings[name]) }

    /// Converts milliseconds; `nil` if the number is missing, -1 (does not apply) or out of range.
    private static func duration(_ fact: JSONValue?) -> Duration? {
        guard let number = fact?.number, (0...longest).contains(number) else { return nil }
        return .microseconds(Int64((number * 1000).rounded()))
    }
}
