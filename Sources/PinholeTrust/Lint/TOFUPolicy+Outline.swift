extension TOFUPolicy: OutlinedPolicy {
    /// The keys that were seen before.
    package var outline: PolicyOutline { PolicyOutline(knownKeys: store.entries) }
}
