/// The present state of the import of one file, with the names of its members in the API.
package struct ImportJob: Sendable, Equatable, Codable {
    /// The phase of an import.
    package enum Phase: String, Sendable, Codable, CaseIterable {
        /// The import waits for another one.
        case waiting
        /// The file is being read.
        case running
        /// The file was read to its end.
        case done
        /// The file could not be read to its end; the exchanges before the fault were imported.
        case failed
        /// The user cancelled the import; the exchanges that were read stay.
        case cancelled
    }

    /// The number of the import.
    package let id: Int64
    /// The name of the file.
    package let name: String
    /// The length of the file in bytes.
    package let bytes: Int64
    /// The number of bytes that were read.
    package internal(set) var read: Int64 = 0
    /// The number of imported exchanges; for a capture, flows without exchanges count as well.
    package internal(set) var exchanges = 0
    /// The number of entries that were left out.
    package internal(set) var leftOut = 0
    /// The reasons for entries that were left out, and other remarks.
    package internal(set) var remarks: [String] = []
    /// The phase of the import.
    package internal(set) var state = Phase.waiting
    /// The reason of a failure; `nil` if the import has not failed.
    package internal(set) var failure: String?

    /// Whether the import has ended.
    package var isOver: Bool { state != .waiting && state != .running }
}
