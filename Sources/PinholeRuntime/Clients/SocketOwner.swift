/// Whose a socket of this machine is.
struct SocketOwner: Equatable, Sendable {
    /// The number that stands in the links of a process's descriptors.
    let inode: UInt32
    /// The user.
    let user: UInt32
}
