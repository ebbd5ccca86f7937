import PinholeModel

/// Reads the timings of an entry.
struct HARTimingsReader {
    private let timings: JSONFact
    private let total: Duration?
    /// What was set up before the exchange began, though HAR has the entry begin with it; Pinhole tells it.
    private let setUpBefore: Duration?

    /// A stage of more than thirty years is no stage.
    private static let longest = 1e12

    /// Takes the entry's object.
    init(_ entry: JSONFact) {
        timings = entry["timings"] ?? .null
        total = Self.duration(entry["time"])
        setUpBefore = Self.duration(entry["_setUpBefore"])
    }

    /// When each stage was reached.
    ///
    /// - Parameters:
    ///   - started: The beginning of the first stage.
    ///   - hasResponse: Whether the last one is that of a response.
    /// - Returns: The moments.
    func timings(from started: Timestamp, hasResponse: Bool) -> ExchangeTimings {
        let started = started + (setUpBefore ?? .zero)
        var result = ExchangeTimings(started: started)
        result.blocked = stage("blocked")
        result.resolve = stage("dns")
        result.tls = stage("ssl")
        // HAR counts the TLS handshake as a part of connecting.
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

    /// Milliseconds; `nil` for what is missing, -1 (does not apply) or absurd.
    private static func duration(_ fact: JSONFact?) -> Duration? {
        guard let number = fact?.number, (0...longest).contains(number) else { return nil }
        return .microseconds(Int64((number * 1000).rounded()))
    }
}
