import PinholeModel

extension ExchangeTimings {
    /// Returns the known timings in milliseconds, by the names that `timings` of an exchange has in JSON.
    ///
    /// `requestEnded`, `firstByte` and `total` count from the first byte of the request. The others are lengths.
    ///
    /// - Parameter flow: The flow of the exchange, if it still exists.
    /// - Returns: The timings.
    func milliseconds(_ flow: FlowRecord?) -> [String: Double] {
        let durations: [String: Duration?] = [
            "queue": blocked, "dns": resolve, "connect": connect, "tls": tls,
            "setUpBefore": setUpBefore(flow), "requestEnded": requestEnded.map { $0 - started },
            "firstByte": responseStarted.map { $0 - started },
            "total": ended.map { $0 - started },
        ]
        return durations.compactMapValues { $0.map { Double($0.microseconds) / 1000 } }
    }
}
