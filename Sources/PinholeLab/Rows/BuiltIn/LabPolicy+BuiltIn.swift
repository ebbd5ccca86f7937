import PinholeModel
import PinholeTrust

extension LabPolicy {
    /// The rows that the lab brings along, in the order of the matrix.
    ///
    /// Their pins are those of the lab's own server, which each of them trusts.
    public static let builtIn: [LabPolicy] =
        modes + afnetworking + alamofire + trustKit + okHttp + android + apple + others + clients

    /// Returns the built-in row with a name.
    ///
    /// - Parameter id: Its ``LabPolicy/id``.
    /// - Returns: The row.
    /// - Throws: ``LabFailure`` if there is none.
    public static func named(_ id: String) throws(LabFailure) -> LabPolicy {
        if let policy = builtIn.first(where: { $0.id.lowercased() == id.lowercased() }) { return policy }
        let names = builtIn.map(\.id)
        let remedy =
            Remedy.nearest(to: id, in: names) ?? "pinhole lab list names all \(names.count)"
        throw LabFailure("the lab has no built-in policy “\(id)”\(Remedy.clause(remedy))")
    }
}

extension LabPolicy.Target {
    /// The host's name.
    var hostName: String { authority.host.description }
}

extension LabFailure {
    /// Runs code that may refuse settings, and turns its failure into one of the lab.
    static func telling<Value>(
        _ make: () throws(PolicyFailure) -> Value
    ) throws(LabFailure) -> Value {
        try LabFailure.wrapping { try make() }
    }
}
