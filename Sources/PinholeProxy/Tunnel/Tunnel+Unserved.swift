import PinholeModel

/// Clients whose server cannot be reached although their connection is open.
///
/// A redirected client was never told that there is a tunnel. A client that asked for a tunnel was told so because the
/// pool had a connection to the server; that connection then ended or did not fit, and the server refused another one.
extension Tunnel {
    /// Handles a server that cannot be reached although the client was told that its tunnel is open.
    mutating func dialFailed(after purpose: DialPurpose, _ outcome: Outcome) {
        switch purpose {
        case .connect, .relay: abort(outcome)
        case .peek:
            flow.outcome = outcome
            awaitUnserved()
        case .intercept:
            flow.outcome = outcome
            guard destination == nil else { return endUnserved() }
            secureUnserved()
        case .converse:
            // The conversation dials for the first request, and answers it if that fails, too.
            opening = nil
            converse()
        }
    }

    /// Waits for the client's first bytes although its server does not answer: they show whether the client can get an
    /// error page.
    mutating func awaitUnserved() {
        isUnserved = true
        phase = .peeking
        commands.append(.peek)
        // A client that waits for the server to speak first should not wait for long.
        commands.append(.driver(.arm(.idle, policy.limits.headTimeout)))
        if closedHalves.contains(.client) { endUnserved() }
    }

    /// Performs the handshake with a client inside its tunnel, because only an answer can tell the client why its server
    /// cannot be reached.
    ///
    /// The leaf names the host that the client asked for. There is no chain whose faults it could show or hide: no
    /// request is sent before the conversation has made a handshake of its own with the server.
    mutating func secureUnserved() {
        guard let serverName else { return }
        isUnserved = false
        // The failure belongs to the exchange. The server may answer again when the request arrives.
        flow.outcome = nil
        secured = nil
        opening = nil
        hasServer = false
        phase = .minting
        let chain = JudgedChain.absent("the server cannot be reached")
        commands.append(.driver(.mint(chain.leafRequest(for: serverName.host))))
    }

    /// Ends the connection by a reset, as its server would have done.
    mutating func endUnserved() {
        commands.append(.driver(.resetClient))
        abort(flow.outcome ?? Outcome(.dialFailed, fault: .server, detail: "the server cannot be reached"))
    }
}
