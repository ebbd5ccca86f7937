import PinholeCrypto
package import PinholeModel
import PinholeProxy

/// Reads a client's decision from what the man in the middle recorded (docs/LAB.md#what-is-read-from-the-wire).
///
/// The classifier never guesses: a signal that is no verdict is undecided, and its sentence says what was seen.
package enum WireClassifier {
    /// The alerts that clients send when a check of their own fails in OpenSSL's callback.
    private static let ownCheckAlerts: Set = [Alert.Code.handshakeFailure, Alert.Code.internalError]

    /// Reads the signal of one connection.
    ///
    /// - Parameters:
    ///   - flow: The connection.
    ///   - requests: The requests that came on it.
    ///   - pace: The time that the program took, at the honest server, from a handshake to its request.
    /// - Returns: The signal.
    package static func signal(
        of flow: FlowRecord,
        requests: [ExchangeRecord],
        pace: Duration = .zero
    ) -> WireSignal {
        guard flow.treatment != .plain, flow.treatment != .opaque, flow.treatment != .local else {
            return requests.first.map { .cleartext(request: "\($0.method) \($0.url)") } ?? .notTLS
        }
        guard let handshake = flow.clientHandshake else { return withoutHandshake(flow) }
        if let end = flow.clientEnd {
            return finished(handshake, end, requests, pace)
        }
        if let request = requests.first { return accepted(request, handshake) }
        if let failure = handshake.failure { return failed(failure, flow.clientHello) }
        guard flow.closed != nil else { return .idle }
        // The proxy ended the connection: the bytes were no HTTP, or not a whole request.
        let isRefused = flow.outcome?.kind == .refused || flow.outcome?.fault == .client
        return isRefused ? .accepted(request: nil, isResumed: handshake.isResumed) : .idle
    }

    /// Combines the signals of all connections of one client into one decision.
    ///
    /// The client accepted if at least one connection accepted, since clients retry. It rejected if every connection
    /// rejected. Otherwise the decision is undecided.
    ///
    /// A connection that the client left before it was shown a certificate counts only if there is no other. Browsers
    /// open a second connection when the first is slow, and drop it as soon as the first has told them enough.
    ///
    /// - Parameters:
    ///   - signals: The connections' signals.
    ///   - reading: The rule by which signals are read.
    /// - Returns: The decision, and the signal that tells the most; `nil` without a connection.
    package static func decision(
        of signals: [WireSignal],
        by reading: AuditReading = .signals
    ) -> (decision: Observation.Decision, decisive: WireSignal)? {
        if let request = signals.first(where: { reading.decision(of: $0) == .accepted }) {
            return (.accepted, request)
        }
        let shown = signals.filter { $0 != .aborted(nil) }
        let signals = shown.isEmpty ? signals : shown
        guard let surest = signals.min(by: { $0.rank < $1.rank }) else { return nil }
        guard let doubt = signals.last(where: { reading.decision(of: $0) == .undecided }) else {
            return (.rejected, surest)
        }
        return (.undecided, reading.decision(of: surest) == .undecided ? surest : doubt)
    }

    private static func accepted(_ request: ExchangeRecord, _ handshake: HandshakeRecord) -> WireSignal {
        .accepted(request: "\(request.method) \(request.path)", isResumed: handshake.isResumed)
    }

    private static func withoutHandshake(_ flow: FlowRecord) -> WireSignal {
        if let failure = flow.serverHandshake?.failure { return .unreachable(failure.detail) }
        switch flow.outcome?.kind {
        case nil: return .silent
        case .dialFailed: return .unreachable(flow.outcome?.detail ?? "")
        case .timedOut: return .silent
        case .completed, .spare, .handshakeFailed, .refused, .aborted, .stopped: return .aborted(nil)
        }
    }

    /// The handshake was finished, and the client has ended the connection.
    private static func finished(
        _ handshake: HandshakeRecord,
        _ end: ClientEnd,
        _ requests: [ExchangeRecord],
        _ pace: Duration
    ) -> WireSignal {
        if let request = requests.first { return accepted(request, handshake) }
        if end.sentData { return .accepted(request: nil, isResumed: handshake.isResumed) }
        if let alert = end.alert {
            if Alert.Code.certificateVerdicts.contains(alert.code) {
                return .rejected(alert, isAfterHandshake: true)
            }
            if ownCheckAlerts.contains(alert.code) { return .likelyRejected(alert) }
            return .tlsError("The client finished the handshake, then sent \(alert)")
        }
        // A spare connection that no request needed is closed later (docs/LAB.md#what-is-read-from-the-wire).
        let limit = max(.milliseconds(250), handshake.duration * 10, pace * 3)
        return end.elapsed <= limit
            ? .closedAfterHandshake(end.kind, after: end.elapsed) : .noRequest(after: end.elapsed)
    }

    /// The handshake was not finished.
    private static func failed(_ failure: HandshakeFailure, _ hello: ClientHelloRecord?) -> WireSignal {
        if let alert = failure.alert, failure.endedBy == .client { return alerted(alert) }
        switch failure.cause {
        case .closed, .looksPinned, .mirroredFaultRefused: return .closedInHandshake(isReset: false)
        case .reset: return .closedInHandshake(isReset: true)
        case .timedOut: return .silent
        case .notTLS: return .notTLS
        case .noCommonGroup: return .nothingInCommon(failure.cause, lackOfGroups(failure, hello))
        case .noCommonVersion, .noCommonCipher, .noCommonProtocol:
            return .nothingInCommon(failure.cause, failure.detail)
        case .cancelled: return .aborted(nil)
        case .authorityNotTrusted, .certificateRefused, .dateRefused, .nameRefused,
            .serverCertificateRefused, .clientCertificateRequired, .protocolError:
            return .tlsError(failure.detail)
        }
    }

    /// Says whether the server of a scenario lacks the client's key exchanges; the detail says what the TLS library lacks.
    private static func lackOfGroups(_ failure: HandshakeFailure, _ hello: ClientHelloRecord?) -> String {
        let groups = hello?.groups ?? []
        return Set(groups).isDisjoint(with: TLSLibrary.offeredGroups)
            ? failure.detail : "The client offers no key exchange that the server of the scenario has"
    }

    private static func alerted(_ alert: Alert) -> WireSignal {
        let detail = "The client ended the handshake with \(alert)"
        switch alert.code {
        case _ where Alert.Code.certificateVerdicts.contains(alert.code):
            return .rejected(alert, isAfterHandshake: false)
        case _ where ownCheckAlerts.contains(alert.code): return .likelyRejected(alert)
        case Alert.Code.protocolVersion: return .nothingInCommon(.noCommonVersion, detail)
        case Alert.Code.insufficientSecurity: return .nothingInCommon(.noCommonCipher, detail)
        case Alert.Code.noApplicationProtocol: return .nothingInCommon(.noCommonProtocol, detail)
        case Alert.Code.closeNotify, Alert.Code.userCanceled: return .aborted(alert)
        case Alert.Code.echRequired:
            return .tlsError("\(detail): it insists on Encrypted Client Hello; switch ECH off for the audit")
        default: return .tlsError(detail)
        }
    }
}

extension WireObservation {
    /// The signal of each connection, in the order of the connections.
    package var signals: [WireSignal] {
        flows.map { flow in
            WireClassifier.signal(of: flow, requests: exchanges.filter { $0.flow == flow.id }, pace: pace)
        }
    }

    /// The longest time from a finished handshake to the first request on its connection.
    var requestDelay: Duration {
        flows.compactMap { flow -> Duration? in
            guard let handshake = flow.clientHandshake,
                let request = exchanges.first(where: { $0.flow == flow.id })
            else { return nil }
            return request.timings.started - (handshake.started + handshake.duration)
        }.max() ?? .zero
    }
}
