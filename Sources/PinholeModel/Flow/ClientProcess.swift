/// The program on this machine that made a connection.
///
/// Its arguments are not recorded, because they may contain passwords and tokens.
package struct ClientProcess: Sendable, Hashable, Codable {
    /// The process ID.
    package var pid: Int32
    /// The name of the process.
    package var name: String
    /// The path of its executable; `nil` if it cannot be determined.
    package var path: String?

    /// Creates the description of a process.
    package init(pid: Int32, name: String, path: String?) {
        self.pid = pid
        self.name = name
        self.path = path
    }
}
