import PinholeModel
import PinholeWire

/// The SOCKS negotiation with a client, before its tunnel is opened.
extension TunnelStack {
    mutating func greetSOCKS(_ version: SOCKSVersion, at now: Timestamp) {
        clientMode = .negotiating
        socks = SOCKSAcceptor(version, asksForPassword: policy.value.access.asksForPassword)
        handle(.clientSpeaksSOCKS(version), at: now)
    }

    /// Processes bytes of a client of SOCKS.
    ///
    /// - Returns: Whether anything happened.
    mutating func negotiateWithClient(at now: Timestamp) -> Bool {
        var output: [UInt8] = []
        do throws(SOCKSFailure) {
            let event = try socks?.next(&client.inbox, into: &output)
            client.send(output)
            guard let event else { return reportEnd(of: .client, client.takeEnd(), at: now) }
            // Bytes that arrive before the answer belong to the tunnel.
            if case .request = event { clientMode = .held }
            handle(.socks(event), at: now)
        } catch {
            client.send(output)
            clientMode = .ignored
            handle(.socksFailed(error), at: now)
        }
        return true
    }

    mutating func answerSOCKS(_ answer: SOCKSAnswer) {
        switch answer {
        case .credentials(let areRight): client.send(socks?.judge(areRight: areRight) ?? [])
        case .reply(let reply): client.send(socks?.reply(reply) ?? [])
        }
    }
}
