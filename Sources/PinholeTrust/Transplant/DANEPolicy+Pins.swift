package import PinholeModel

extension DANEPolicy: PinningPolicy {
    /// The same records with other data: those of the usages 1 and 3 are of leaves, the others of authorities.
    package func replacingPins(for host: Host, _ replace: Replacement) -> any TrustPolicy {
        var policy = self
        for isLeaf in [true, false] {
            let indices = records.indices.filter { records[$0].isOfLeaf == isLeaf }
            let values = indices.map { value(of: records[$0]) }
            let replaced = replace(PinnedList(isLeaf ? .leaf : .authorities, values))
            for (index, value) in zip(indices, replaced) {
                let record = records[index]
                let other = TLSARecord(record.usage, record.selector, record.matching, data: value.bytes)
                policy.records[index] = other ?? record
                guard let anchor = anchors.firstIndex(where: { $0.der == record.data }) else { continue }
                policy.anchors[anchor] = value.certificate ?? anchors[anchor]
            }
        }
        return policy
    }

    private func value(of record: TLSARecord) -> PinnedValue {
        let value = PinnedValue(record.notation, record.data)
        return anchors.first { value.notation == .certificate && value.matches($0) }.map { PinnedValue($0) }
            ?? value
    }
}

extension TLSARecord {
    fileprivate var isOfLeaf: Bool { usage == .pkixEE || usage == .daneEE }

    fileprivate var notation: PinnedValue.Notation {
        switch (selector, matching) {
        case (.certificate, .full): .certificate
        case (.certificate, .sha256): .certificateSHA256
        case (.certificate, .sha512): .certificateSHA512
        case (.spki, .full): .key
        case (.spki, .sha256): .keySHA256
        case (.spki, .sha512): .keySHA512
        }
    }
}
