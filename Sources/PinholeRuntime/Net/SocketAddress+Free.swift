extension SocketAddress {
    /// Throws if another process listens on the address, or the address cannot be used.
    package func checkIsFree() throws(SystemFailure) { try Listener.checkIsFree(self) }
}
