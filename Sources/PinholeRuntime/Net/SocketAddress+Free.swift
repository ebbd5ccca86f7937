extension SocketAddress {
    /// Fails when somebody listens on the address already, or it cannot be used.
    package func checkIsFree() throws(SystemFailure) { try Listener.checkIsFree(self) }
}
