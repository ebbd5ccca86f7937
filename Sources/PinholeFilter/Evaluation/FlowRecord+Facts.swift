import PinholeModel

extension FlowRecord {
    private var isOver: Bool { outcome != nil }

    /// Whether `flag` holds for the flow; flags of exchanges never hold.
    func truth(of flag: FilterFlag) -> Truth {
        // After the client's handshake, a property that is still missing is rarely added.
        let isSettled = isOver || clientHandshake != nil
        func settled(_ holds: Bool) -> Truth { holds ? .yes : isSettled ? .no : .open }
        switch flag {
        case .tls: return settled(!handshakes.isEmpty)
        case .tlsFailed: return settled(handshakes.contains { $0.failure != nil })
        case .tlsAnswered: return isAnsweredFailure ? .yes : isOver ? .no : .open
        case .tlsAlert: return settled(!alerts.isEmpty)
        case .pinned: return settled(handshakes.contains { $0.failure?.cause == .looksPinned })
        case .resumed: return settled(handshakes.contains(where: \.isResumed))
        case .spare: return outcome.map { Truth($0.kind == .spare) } ?? .open
        case .relayed:
            return treatment.map { Truth($0 == .passedThrough || $0 == .opaque) } ?? (isOver ? .no : .open)
        case .intercepted: return treatment.map { Truth($0 == .intercepted) } ?? (isOver ? .no : .open)
        case .failed, .broken: return isFailed ? .yes : isOver ? .no : .open
        case .running: return Truth(!isOver)
        case .http, .https, .answered, .unanswered, .websocket, .grpc, .sse, .asset, .reused, .retried,
            .sloppy, .marked, .ruled:
            return .no
        }
    }

    /// Returns the texts of `field`; a flow has none for the fields of exchanges.
    func texts(of field: TextField) -> TextFacts {
        guard case .named(let field) = field else { return TextFacts([]) }
        return field.flow?.texts(of: self) ?? TextFacts([])
    }

    /// Returns the number of `field`; a flow has none for the fields of exchanges.
    func number(of field: NumberField) -> NumberFact { field.field.flow?.number(of: self) ?? .absent }
}
