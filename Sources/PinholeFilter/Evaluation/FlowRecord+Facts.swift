import PinholeModel

extension FlowRecord {
    private var isOver: Bool { outcome != nil }

    private var handshakes: [HandshakeRecord] { [clientHandshake, serverHandshake].compactMap(\.self) }

    private var alerts: [Alert] {
        handshakes.compactMap(\.failure?.alert) + [clientEnd?.alert].compactMap(\.self)
    }

    /// Whether `flag` holds.
    func truth(of flag: FilterFlag) -> Truth {
        // Once there is a handshake with the client, what is not there yet is rarely to come.
        let isSettled = isOver || clientHandshake != nil
        func settled(_ holds: Bool) -> Truth { holds ? .yes : isSettled ? .no : .open }
        switch flag {
        case .tls: return settled(!handshakes.isEmpty)
        case .tlsFailed: return settled(handshakes.contains { $0.failure != nil })
        case .tlsAlert: return settled(!alerts.isEmpty)
        case .pinned: return settled(handshakes.contains { $0.failure?.cause == .looksPinned })
        case .resumed: return settled(handshakes.contains(where: \.isResumed))
        case .spare: return outcome.map { Truth($0.kind == .spare) } ?? .open
        case .relayed:
            return treatment.map { Truth($0 == .passedThrough || $0 == .opaque) } ?? (isOver ? .no : .open)
        case .intercepted: return treatment.map { Truth($0 == .intercepted) } ?? (isOver ? .no : .open)
        case .failed: return isFailed ? .yes : isOver ? .no : .open
        case .running: return Truth(!isOver)
        case .http, .https, .answered, .unanswered, .websocket, .grpc, .sse, .asset, .reused, .retried,
            .marked, .ruled:
            return .no
        }
    }

    /// The texts of `field`; those of exchanges are not there.
    func texts(of field: TextField) -> TextFacts {
        let isSettled = isOver || clientHandshake != nil
        func several(_ texts: [String?]) -> TextFacts {
            TextFacts(texts.compactMap { $0.map { Array($0.utf8) } }, isComplete: isSettled)
        }
        switch field {
        case .host: return TextFacts(target?.host.description, isComplete: authority != nil || isOver)
        case .outcome: return TextFacts(outcome?.kind.rawValue, isComplete: isOver)
        case .error:
            let details = isFailed ? [outcome?.detail] + handshakes.map(\.failure?.detail) : []
            return TextFacts(details.compactMap { $0.map { Array($0.utf8) } }, isComplete: isOver)
        case .client: return TextFacts(client)
        case .process:
            let texts = [clientProcess?.name, clientProcess?.path].compactMap { $0.map { Array($0.utf8) } }
            return TextFacts(texts)
        // Nothing is decided before the login.
        case .proxyUser: return TextFacts(proxyUser, isComplete: treatment != nil || isOver)
        case .server: return TextFacts(server, isComplete: server != nil || isOver)
        case .destination:
            return TextFacts(
                [server, authority].compactMap { $0.map { Array($0.utf8) } },
                isComplete: server != nil || isOver
            )
        case .treatment: return TextFacts(treatment?.rawValue, isComplete: treatment != nil || isOver)
        case .serverName: return TextFacts(clientHello?.serverName, isComplete: clientHello != nil || isOver)
        case .applicationProtocol: return several(handshakes.map(\.applicationProtocol))
        case .version: return several(handshakes.map(\.version))
        case .cipher: return several(handshakes.map(\.cipher))
        case .cause: return several(handshakes.map { $0.failure?.cause.rawValue })
        case .alert: return several(alerts.flatMap { [$0.name, String($0.code)] })
        case .comment, .marker, .method, .path, .query, .url, .scheme, .headers, .header, .contentType, .body:
            return TextFacts([])
        }
    }

    /// The number of `field`; those of exchanges are not there.
    func number(of field: NumberField) -> NumberFact {
        switch field {
        case .port: NumberFact((target?.port).map(Int64.init), isComplete: authority != nil || isOver)
        case .id, .flow: .known(id.rawValue)
        case .pid: NumberFact((clientProcess?.pid).map(Int64.init), isComplete: true)
        case .duration: NumberFact(closed.map { ($0 - opened).microseconds }, isComplete: isOver)
        case .time: .known(opened.microseconds)
        case .status, .messages, .size, .requestSize, .responseSize, .firstByte, .blocked, .resolve, .connect,
            .tlsTime:
            .absent
        }
    }

    private var target: Authority? { authority.flatMap { try? Authority($0, defaultPort: 443) } }
}
