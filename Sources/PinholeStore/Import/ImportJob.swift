/// The import of one file, as it stands.
package struct ImportJob: Sendable, Equatable {
    /// How far it is.
    package enum Phase: String, Sendable, Encodable {
        /// Another is imported before it.
        case waiting
        /// It is read.
        case running
        /// It was read to its end.
        case done
        /// It could not be read to its end; what was whole before is there.
        case failed
        /// Somebody has cancelled it; what was read before is there.
        case cancelled
    }

    /// Its number.
    package let id: Int64
    /// The name of the file.
    package let name: String
    /// The length of the file.
    package let bytes: Int64
    /// How much of it was read.
    package internal(set) var read: Int64 = 0
    /// Exchanges, and of a capture also flows without any, that were imported.
    package internal(set) var exchanges = 0
    /// What was left out.
    package internal(set) var leftOut = 0
    /// Why, and what else is to be said.
    package internal(set) var remarks: [String] = []
    /// How far it is.
    package internal(set) var phase = Phase.waiting
    /// Why it failed.
    package internal(set) var failure: String?

    /// Whether nothing more becomes of it.
    package var isOver: Bool { phase != .waiting && phase != .running }
}
