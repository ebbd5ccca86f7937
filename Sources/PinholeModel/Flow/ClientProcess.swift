/// The program on this machine that made a connection.
///
/// Its arguments are not kept: passwords and tokens stand there.
package struct ClientProcess: Sendable, Hashable, Codable {
    /// The number that the system gave the process.
    package var pid: Int32
    /// The name of the process.
    package var name: String
    /// The file that it runs; `nil` where that cannot be known.
    package var path: String?

    /// Names a process.
    package init(pid: Int32, name: String, path: String?) {
        self.pid = pid
        self.name = name
        self.path = path
    }
}
