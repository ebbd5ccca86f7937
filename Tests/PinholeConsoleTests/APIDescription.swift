import Foundation
import Testing

@testable import PinholeConsole

/// The description of the control API (`openapi.json`), which every response of the tests is compared with.
///
/// A response that the description does not know, an undescribed member, and a value of another type are faults.
struct APIDescription: @unchecked Sendable {
    // The members of a parsed document are immutable.
    private let document: [String: Any]

    /// Reads the description that the console serves.
    init(_ json: [UInt8]) throws {
        document = try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
    }

    /// Compares a response with the description.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - path: The path of the request, without a query.
    ///   - reply: The response.
    /// - Returns: The faults; empty if the description allows the response.
    func faults(_ method: String, _ path: String, _ reply: ConsoleStage.Reply) -> [String] {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        guard let route = ConsoleStage.routes.first(where: { $0.match(parts) != nil }),
            let operation = member(["paths", route.pattern, method.lowercased()], of: document)
                as? [String: Any]
        else { return [] }
        let responses = operation["responses"] as? [String: Any] ?? [:]
        let place = "\(method) \(route.pattern) \(reply.status)"
        guard let found = responses["\(reply.status)"] ?? responses["default"] else {
            return ["\(place): no such response is described"]
        }
        let content = resolve(found)["content"] as? [String: Any] ?? [:]
        let type = reply["Content-Type"].map { String($0.prefix { $0 != ";" }) }
        guard let type, !reply.body.isEmpty, method != "HEAD" else { return [] }
        guard type.hasSuffix("json"), reply.sequel == .end else { return [] }
        if content["*/*"] != nil { return [] }
        guard let schema = member([type, "schema"], of: content) as? [String: Any] else {
            return ["\(place): \(type) is not described"]
        }
        guard
            let value = try? JSONSerialization.jsonObject(
                with: Data(reply.body),
                options: .fragmentsAllowed
            )
        else { return ["\(place): the body is not JSON"] }
        return faults(of: value, by: schema, at: place)
    }

    private func member(_ path: [String], of object: [String: Any]) -> Any? {
        path.dropLast().reduce(object) { $0?[$1] as? [String: Any] }?[path.last ?? ""]
    }

    private func resolve(_ value: Any) -> [String: Any] {
        let object = value as? [String: Any] ?? [:]
        guard let reference = object["$ref"] as? String else { return object }
        return member(reference.split(separator: "/").dropFirst().map(String.init), of: document)
            as? [String: Any] ?? [:]
    }

    private func faults(of value: Any, by described: [String: Any], at place: String) -> [String] {
        let schema = resolve(described)
        if let choices = schema["oneOf"] as? [[String: Any]] {
            let faults = choices.map { self.faults(of: value, by: $0, at: place) }
            return faults.contains([]) ? [] : faults.min { $0.count < $1.count } ?? []
        }
        if let type = schema["type"] as? String, !Self.isOf(type, value) {
            return ["\(place): expected \(type), found \(value)"]
        }
        if let allowed = schema["enum"] as? [String], let text = value as? String, !allowed.contains(text) {
            return ["\(place): “\(text)” is none of \(allowed)"]
        }
        if let list = value as? [Any] {
            guard let items = schema["items"] as? [String: Any] else { return [] }
            return list.flatMap { faults(of: $0, by: items, at: "\(place)[]") }
        }
        guard let object = value as? [String: Any], let members = schema["properties"] as? [String: Any]
        else { return [] }
        let missing = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }
        return missing.map { "\(place): \($0) is missing" }
            + object.sorted { $0.key < $1.key }.flatMap { name, value in
                guard let schema = members[name] as? [String: Any] else {
                    return ["\(place): \(name) is not described"]
                }
                return faults(of: value, by: schema, at: "\(place) \(name)")
            }
    }

    private static func isOf(_ type: String, _ value: Any) -> Bool {
        switch type {
        case "object": value is [String: Any]
        case "array": value is [Any]
        case "string": value is String
        case "boolean": (value as? NSNumber)?.isBoolean == true
        case "integer": number(value).map { Double($0.int64Value) == $0.doubleValue } ?? false
        case "number": number(value) != nil
        default: false
        }
    }

    private static func number(_ value: Any) -> NSNumber? {
        (value as? NSNumber).flatMap { $0.isBoolean ? nil : $0 }
    }
}

extension NSNumber {
    fileprivate var isBoolean: Bool { String(cString: objCType) == "c" }
}
