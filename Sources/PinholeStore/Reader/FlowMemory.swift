package import PinholeModel

/// A cache of the flows of the exchanges that were read last.
package final class FlowMemory {
    private var flows: [FlowID: FlowRecord] = [:]

    private static let remembered = 64

    /// Creates an empty cache.
    package init() {}

    /// Returns the flow with this number; `nil` if there is none, or if it was removed.
    ///
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func flow(_ id: FlowID, _ reader: CaptureReader) throws(CaptureFailure) -> FlowRecord? {
        if let flow = flows[id] { return flow }
        let flow = try reader.flow(id)
        if flows.count >= Self.remembered { flows.removeAll(keepingCapacity: true) }
        flows[id] = flow
        return flow
    }
}
