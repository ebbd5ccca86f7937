/// How long a client of gRPC waits: `grpc-timeout`, at most eight digits and a unit.
package enum GRPCTimeout {
    /// The duration in a field's value; `nil` where it is none.
    ///
    /// - Parameter text: The value.
    /// - Returns: The duration.
    package static func duration(_ text: String) -> Duration? {
        guard let unit = text.last, (2...9).contains(text.utf8.count), let count = Int64(text.dropLast()),
            count >= 0
        else { return nil }
        return switch unit {
        case "H": .seconds(count * 3600)
        case "M": .seconds(count * 60)
        case "S": .seconds(count)
        case "m": .milliseconds(count)
        case "u": .microseconds(count)
        case "n": .nanoseconds(count)
        default: nil
        }
    }
}
