import PinholeModel
package import PinholeStore

extension TrafficSpans {
    /// Reads records, and makes their spans.
    ///
    /// - Parameters:
    ///   - numbers: The numbers of exchanges and flows.
    ///   - reader: The capture.
    /// - Returns: The spans, and how many of the records are not in the capture any more.
    /// - Throws: ``CaptureFailure`` if the capture cannot be read.
    package func spans(
        of numbers: [Int64],
        in reader: CaptureReader
    ) throws(CaptureFailure) -> (spans: [Span], missing: Int) {
        var found: [Span] = []
        var missing = 0
        let flows = FlowMemory()
        for number in numbers {
            if let record = try reader.exchange(ExchangeID(rawValue: number)) {
                found += spans(of: record, try flows.flow(record.flow, reader))
            } else if let flow = try reader.flow(FlowID(rawValue: number)) {
                if let span = span(of: flow) { found.append(span) }
            } else {
                missing += 1
            }
        }
        return (found, missing)
    }
}
