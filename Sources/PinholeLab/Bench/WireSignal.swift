package import PinholeModel

/// The signal of one connection: what the wire shows of a client's decision about the server's certificate.
///
/// Only application data prove that a client accepted, and only an alert about certificates says that it refused. The
/// other refusals are read from the end of a connection. They count because the same client accepted the honest server.
package enum WireSignal: Sendable, Hashable {
    /// Application data came, with the request line if it could be read.
    case accepted(request: String?, isResumed: Bool)
    /// An alert that speaks of the certificate came.
    case rejected(Alert, isAfterHandshake: Bool)
    /// An alert came that clients also send when their own check fails.
    case likelyRejected(Alert)
    /// The request came, and the client did not follow the redirect in the answer.
    case stayed(request: String?)
    /// The client tried so often to shake hands; whether a later attempt offered less than the first.
    case tried([String], isWeaker: Bool)
    /// The client made no more connections than those that met the honest server.
    case leftAlone(connections: Int)
    /// The connection ended in the handshake, after the certificate was sent.
    case closedInHandshake(isReset: Bool)
    /// The connection ended right after the handshake, without a request.
    case closedAfterHandshake(ClientEnd.Kind, after: Duration)
    /// The client gave up: before the certificate was sent, or by a warning.
    case aborted(Alert?)
    /// The handshake failed for a reason that is no certificate.
    case tlsError(String)
    /// No version, cipher suite, key exchange or application protocol in common.
    case nothingInCommon(HandshakeFailure.Cause, String)
    /// The client sent a command of a protocol with STARTTLS before TLS began.
    case unprotected(command: String)
    /// The client sent a request without TLS.
    case cleartext(request: String)
    /// The client did not speak TLS.
    case notTLS
    /// The connection ended some time after the handshake, without a request.
    case noRequest(after: Duration)
    /// The handshake was finished, and no data came.
    case idle
    /// The client fell silent in the handshake, or before it.
    case silent
    /// The lab's own server was not reached.
    case unreachable(String)
}

extension WireSignal {
    /// The decision of the client, as far as this connection shows it.
    package var decision: Observation.Decision {
        switch self {
        case .accepted, .unprotected, .tried(_, isWeaker: true): .accepted
        case .rejected, .stayed, .leftAlone, .tried(_, isWeaker: false), .likelyRejected, .closedInHandshake,
            .closedAfterHandshake:
            .rejected
        case .aborted, .tlsError, .nothingInCommon, .cleartext, .notTLS, .noRequest, .idle, .silent,
            .unreachable:
            .undecided
        }
    }

    /// The rank of the signal among those of one client, 0 for the one that tells the most.
    package var rank: Int {
        switch self {
        case .accepted, .unprotected: 0
        case .rejected: 1
        case .stayed, .tried, .leftAlone: 2
        case .likelyRejected: 3
        case .closedInHandshake: 4
        case .closedAfterHandshake: 5
        case .aborted: 6
        case .tlsError: 7
        case .nothingInCommon: 8
        case .cleartext: 9
        case .notTLS: 10
        case .noRequest: 11
        case .idle: 12
        case .silent: 13
        case .unreachable: 14
        }
    }

    /// The signal's name: `rejected(unknown_ca)`.
    package var name: String {
        switch self {
        case .accepted(_, let isResumed): isResumed ? "accepted(resumed)" : "accepted"
        case .rejected(let alert, _): "rejected(\(alert.name))"
        case .stayed: "did-not-follow"
        case .leftAlone: "left-alone"
        case .tried(_, let isWeaker): isWeaker ? "came-back-weaker" : "gave-up"
        case .likelyRejected(let alert): "rejected-likely(\(alert.name))"
        case .closedInHandshake: "rejected-likely(closed in handshake)"
        case .closedAfterHandshake: "rejected-after-handshake"
        case .aborted: "client-aborted"
        case .tlsError: "tls-error"
        case .nothingInCommon(.noCommonVersion, _): "no-common-version"
        case .nothingInCommon(.noCommonProtocol, _): "no-common-protocol"
        case .nothingInCommon(.noCommonGroup, _): "no-common-group"
        case .nothingInCommon: "no-cipher"
        case .unprotected: "no-starttls"
        case .cleartext: "plain-http"
        case .notTLS: "not-tls"
        case .noRequest: "no-request"
        case .idle: "idle"
        case .silent: "silent"
        case .unreachable: "server-unreachable"
        }
    }

    /// The signal in a sentence.
    package var sentence: String {
        switch self {
        case .accepted(.some(let request), false): "The request came: \(request)."
        case .accepted(.some(let request), true): "The request came in a resumed session: \(request)."
        case .accepted(nil, _): "Data came after the handshake."
        case .rejected(let alert, false): "The client ended the handshake with \(alert)."
        case .rejected(let alert, true): "The client finished the handshake, then sent \(alert)."
        case .stayed(let request):
            "The request came\(request.map { ": \($0)" } ?? ""). The client did not go where the response led."
        case .leftAlone(let count):
            "The client made \(count == 1 ? "1 connection" : "\(count) connections"), to the honest server alone."
        case .tried(let attempts, isWeaker: true):
            "The client came back with less: \(attempts.joined(separator: ", "))."
        case .tried(let attempts, isWeaker: false):
            "The client gave up after \(attempts.count) attempt\(attempts.count == 1 ? "" : "s"), none of them weaker."
        case .likelyRejected(let alert):
            "The client ended the handshake with \(alert), as clients do whose own check fails."
        case .closedInHandshake(let isReset):
            "The client \(isReset ? "reset" : "closed") the connection in the handshake, without an alert."
        case .closedAfterHandshake(let kind, let elapsed):
            "The client finished the handshake and \(kind.verb) \(elapsed.text) later, without a request."
        case .aborted(.some(let alert)):
            "The client gave up in the handshake (\(alert)) and does not say why."
        case .aborted(nil): "The client gave up before it was shown a certificate."
        case .tlsError(let detail), .nothingInCommon(_, let detail), .unreachable(let detail):
            detail.asSentence
        case .unprotected(let command): "The client sent \(command) before it started TLS."
        case .cleartext(let request): "The client sent its request in the clear: \(request)."
        case .notTLS: "The client did not speak TLS."
        case .noRequest(let elapsed):
            """
            The client finished the handshake and closed \(elapsed.text) later, without a request: too late for a \
            refusal.
            """
        case .idle: "The client finished the handshake and sent no request until the time was over."
        case .silent: "The client fell silent before the end of the handshake, until the time was over."
        }
    }
}

extension ClientEnd.Kind {
    /// The action of the client as a verb: `closed (close_notify)`.
    fileprivate var verb: String {
        switch self {
        case .closeNotify: "closed (close_notify)"
        case .closed: "closed (FIN)"
        case .reset: "reset the connection"
        case .alert: "sent an alert"
        }
    }
}

extension Duration {
    /// `12 ms`; `under 1 ms`.
    fileprivate var text: String { milliseconds < 1 ? "under 1 ms" : "\(milliseconds) ms" }
}
