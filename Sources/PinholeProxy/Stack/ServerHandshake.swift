import PinholeCrypto
import PinholeModel

/// A handshake with a server: the facts that are needed when it ends, and the results.
struct ServerHandshake {
    /// The name that the certificate must contain.
    let name: ServerName
    /// The time at which the handshake began.
    let started: Timestamp
    /// The facts of the connection whose session the handshake tries to resume; `nil` if there is none.
    private let resumed: SecuredServer?
    /// Whether a fault of the chain is shown to the client in the leaf.
    private let mirrors: Bool
    /// The groups that Pinhole offers to the server; `nil` if there is no engine.
    private let offeredGroups: [UInt16]?
    /// The groups of Pinhole's key shares; `nil` if it sends none.
    private let offeredShares: [UInt16]?

    /// Begins a handshake for a client with a ClientHello; `nil` if it sent none.
    ///
    /// - Returns: The engine or the reason why there is none, and the handshake.
    static func begin(
        _ name: ServerName,
        _ environment: TunnelEnvironment,
        _ policy: ServerPolicy,
        client hello: ClientHelloRecord?,
        at now: Timestamp
    ) -> (Result<TLSEngine, CryptoFailure>, ServerHandshake) {
        let mirrors = policy.badCertificate == .mirror && policy.exemption(for: name.authority) == nil
        do throws(CryptoFailure) {
            let connection = try environment.engine(for: name, policy: policy, client: hello, at: now)
            let handshake = ServerHandshake(
                name: name,
                started: now,
                resumed: connection.resuming,
                mirrors: mirrors,
                offeredGroups: TLSLibrary.offeredGroups(upTo: connection.engine.newestVersion),
                offeredShares: TLSLibrary.shares(for: hello, upTo: connection.engine.newestVersion)
            )
            return (.success(connection.engine), handshake)
        } catch {
            let handshake = ServerHandshake(
                name: name,
                started: now,
                resumed: nil,
                mirrors: mirrors,
                offeredGroups: nil,
                offeredShares: nil
            )
            return (.failure(error), handshake)
        }
    }

    /// Returns the facts of a handshake that has finished.
    func finished(_ engine: TLSEngine?, at now: Timestamp) -> SecuredServer {
        var record = record(engine, at: now)
        var chain = JudgedChain.of(engine?.verification, mirrors: mirrors, failure: nil)
        if record.isResumed, let known = resumed {
            // No certificate is sent when a session is resumed, so the judgement of the first handshake still holds.
            chain = known.chain
            record.presentedChain = known.handshake.presentedChain
            record.validatedChain = known.handshake.validatedChain
            record.verification = known.handshake.verification
            record.exemption = known.handshake.exemption
            // A resumed session has no request for a client certificate, either, so the known one counts.
            record.requestedClientCertificate = known.handshake.requestedClientCertificate
            record.clientCertificate = known.handshake.clientCertificate
        }
        return SecuredServer(handshake: record, chain: chain, offered: name.applicationProtocols)
    }

    /// Returns the facts of a handshake that has failed.
    ///
    /// - Parameters:
    ///   - engine: The engine, or `nil` if there was none yet.
    ///   - failure: The failure, or `nil` if the deadline passed.
    ///   - end: The way in which the socket ended, or `nil` if it did not end.
    ///   - hello: The ClientHello of the client; `nil` if it sent none.
    ///   - now: The time.
    /// - Returns: The record with the reason, and the chain as far as it was received.
    func failed(
        _ engine: TLSEngine?,
        _ failure: TLSFailure?,
        end: CloseKind?,
        for hello: ClientHelloRecord?,
        at now: Timestamp
    ) -> SecuredServer {
        var record = record(engine, at: now)
        let isSilent = failure?.kind == .truncated
        record.failure = HandshakeClassifier.server(
            isSilent ? nil : failure,
            close: isSilent ? end ?? .truncated : nil,
            verification: engine?.verification,
            requestedClientCertificate: record.requestedClientCertificate,
            presentedClientCertificate: record.clientCertificate != nil,
            hello: hello
        )
        let chain = JudgedChain.of(engine?.verification, mirrors: mirrors, failure: record.failure?.detail)
        return SecuredServer(handshake: record, chain: chain, offered: name.applicationProtocols)
    }

    private func record(_ engine: TLSEngine?, at now: Timestamp) -> HandshakeRecord {
        var record = HandshakeRecord(peer: .server, started: started, duration: now - started)
        record.serverName = name.host.name
        record.note(engine)
        record.offeredGroups = offeredGroups
        record.offeredShares = offeredShares
        let verification = engine?.verification
        record.presentedChain = verification?.presented.map(\.der) ?? []
        record.validatedChain = verification?.validated.map(\.der) ?? []
        record.verification = verification.map { $0.fault?.description ?? "the chain leads to a trusted CA" }
        record.exemption = verification?.exemption
        if let engine { record.noteClientCertificate(engine) }
        return record
    }
}

extension HandshakeRecord {
    /// Records the parameters that were agreed upon.
    mutating func note(_ engine: TLSEngine?) {
        version = engine?.version
        cipher = engine?.cipher
        group = engine?.group
        applicationProtocol = engine?.applicationProtocol
        isResumed = engine?.isResumed ?? false
    }

    /// Records whether the server has asked for a client certificate, and the certificate that it got.
    mutating func noteClientCertificate(_ engine: TLSEngine) {
        requestedClientCertificate = engine.requestedClientCertificate
        clientCertificate = engine.presentedClientCertificate?.der
    }
}
