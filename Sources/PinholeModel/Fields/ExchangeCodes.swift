// The numbers that represent names in columns. A number never gets a second meaning.

extension ExchangeOutcome.Kind {
    /// The number in the column `outcome`, which is NULL while the exchange is running.
    package var code: Int64 {
        switch self {
        case .completed: 0
        case .answeredByProxy: 1
        case .abortedByClient: 2
        case .abortedByServer: 3
        case .failed: 4
        case .abortedByUser: 5
        case .closedByClient: 6
        }
    }

    /// Creates the kind with a number; an unknown number is a failure.
    init(code: Int64) { self = Self.allCases.first { $0.code == code } ?? .failed }

    /// The SQL expression that converts the numbers to names.
    static let names =
        "(CASE outcome" + allCases.map { " WHEN \($0.code) THEN '\($0.rawValue)'" }.joined() + " END)"
}

/// The parts of an exchange that have arrived, as bits of the column `state`.
///
/// From bit 8 on, the column holds the protocol of ``ExchangeRecord/protocolStatus``, and from bit 16 on its status.
package struct ExchangeState: OptionSet, Sendable {
    /// The bits.
    package let rawValue: Int64

    /// The whole body of the request has passed.
    package static let requestComplete = ExchangeState(rawValue: 1)
    /// The head of the response has arrived.
    package static let hasResponse = ExchangeState(rawValue: 2)
    /// The whole body of the response has passed.
    package static let responseComplete = ExchangeState(rawValue: 4)

    /// The status of the protocol inside of HTTP is an error.
    static let protocolError = ExchangeState(rawValue: 8)

    /// Creates a state from its bits.
    package init(rawValue: Int64) { self.rawValue = rawValue }

    init(_ record: ExchangeRecord) {
        self = record.request.body.isComplete ? [.requestComplete] : []
        if let status = record.protocolStatus { formUnion(Self(status)) }
        guard let response = record.response else { return }
        formUnion(response.body.isComplete ? [.hasResponse, .responseComplete] : [.hasResponse])
    }

    /// Adds a response to a record, if there was one, and sets which bodies are complete.
    func set(on record: inout ExchangeRecord) {
        record.request.body.isComplete = contains(.requestComplete)
        record.protocolStatus = protocolStatus
        guard contains(.hasResponse) else { return }
        record.response = MessageRecord(head: [])
        record.response?.body.isComplete = contains(.responseComplete)
    }

    // MARK: The protocol inside of HTTP

    private enum Inside: Int64 {
        case grpc = 1
        case graphQL = 2
        case webSocket = 3
        /// A call of gRPC without a status.
        case unansweredGRPC = 4
    }

    private init(_ status: ProtocolStatus) {
        let (inside, number): (Inside, Int64) =
            switch status {
            case .grpc(let code?): (.grpc, code)
            case .grpc(nil): (.unansweredGRPC, ProtocolStatus.unknownStatus)
            case .graphQL(let errors): (.graphQL, errors)
            case .webSocket(let code): (.webSocket, code)
            }
        self.init(rawValue: number << 16 | inside.rawValue << 8 | (status.isError ? 8 : 0))
    }

    private var protocolStatus: ProtocolStatus? {
        let number = rawValue >> 16
        return switch Inside(rawValue: rawValue >> 8 & 0xff) {
        case .grpc: .grpc(number)
        case .graphQL: .graphQL(errors: number)
        case .webSocket: .webSocket(close: number)
        case .unansweredGRPC: .grpc(nil)
        case nil: nil
        }
    }

    static let grpcSQL = sql(of: .grpc, .unansweredGRPC)
    static let graphQLSQL = sql(of: .graphQL)
    static let webSocketSQL = sql(of: .webSocket)

    private static func sql(of inside: Inside...) -> String {
        let numbers = inside.map { "\($0.rawValue)" }.joined(separator: ", ")
        return "(CASE WHEN state >> 8 & 255 IN (\(numbers)) THEN state >> 16 END)"
    }
}

/// Notes as bits of the column `notes`.
///
/// A bit never gets a second meaning.
package enum NoteBits {
    private static let order = ExchangeNote.allCases

    /// Returns the bits of `notes`.
    package static func bits(_ notes: [ExchangeNote]) -> Int64 {
        notes.reduce(0) { $0 | 1 << Int64(position(of: $1)) }
    }

    /// Returns the notes of `bits`, in the order of the bits.
    package static func notes(_ bits: Int64) -> [ExchangeNote] {
        bits == 0 ? [] : order.filter { bits & 1 << Int64(position(of: $0)) != 0 }
    }

    /// Returns the bit position of a note; cases are declared in the order of their bits.
    private static func position(of note: ExchangeNote) -> Int {
        switch note {
        case .altSvcRemoved: 0
        case .connectionReused: 1
        case .retried: 2
        case .upgraded: 3
        case .answeredEarly: 4
        case .webSocket: 5
        case .webSocketBroken: 6
        case .interimLeftOut: 7
        case .ruled: 8
        case .viaAdded: 9
        case .clientCertificateMissing: 10
        case .hostDiffers: 11
        case .answerStatusLine: 12
        case .answerLineEnds: 13
        case .answerFieldNames: 14
        case .answerFolding: 15
        case .answerControls: 16
        case .answerTransferEncoding: 17
        case .answerContentLength: 18
        case .answerChunks: 19
        case .answerTrailers: 20
        case .answerExcess: 21
        }
    }
}

extension FieldEnd where Record == ExchangeRecord {
    /// The end of the exchange.
    package static var over: Self { FieldEnd("outcome IS NOT NULL") { $0.outcome != nil } }

    /// The head of the response, or the end of the exchange.
    static var answered: Self {
        FieldEnd("(outcome IS NOT NULL OR state & \(ExchangeState.hasResponse.rawValue))") {
            $0.outcome != nil || $0.response != nil
        }
    }

    /// Returns the end of the exchange or of the bodies in `state`.
    static func complete(_ state: ExchangeState) -> Self {
        FieldEnd("(outcome IS NOT NULL OR state & \(state.rawValue) = \(state.rawValue))") {
            $0.outcome != nil || ExchangeState($0).isSuperset(of: state)
        }
    }
}
