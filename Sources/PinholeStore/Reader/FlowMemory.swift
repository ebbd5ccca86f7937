import PinholeModel

/// The flows of the exchanges that were read last.
package final class FlowMemory {
    private var flows: [FlowID: FlowRecord] = [:]

    private static let remembered = 64

    /// Remembers nothing yet.
    package init() {}

    /// The flow with this number; `nil` when there is none (any more).
    func flow(_ id: FlowID, _ reader: CaptureReader) throws(CaptureFailure) -> FlowRecord? {
        if let flow = flows[id] { return flow }
        let flow = try reader.flow(id)
        if flows.count >= Self.remembered { flows.removeAll(keepingCapacity: true) }
        flows[id] = flow
        return flow
    }
}
