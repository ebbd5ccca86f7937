/// Traffic as JSON, one object per line; docs/COMMANDS.md describes the keys.
package enum TrafficJSON {
    /// Returns the line for `event`.
    package static func text(_ event: TrafficEvent) -> String {
        switch event {
        case .exchange(let record): JSONLine.text(ExchangeJSON(record))
        case .flow(let record): JSONLine.text(FlowJSON(record))
        }
    }
}
