/// The owner of a socket of this machine.
struct SocketOwner: Equatable, Sendable {
    /// The inode number, which also stands in the links of the owner's descriptors.
    let inode: UInt32
    /// The number of the user.
    let user: UInt32
}
