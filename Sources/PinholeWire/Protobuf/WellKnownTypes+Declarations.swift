extension WellKnownTypes {
    /// The declarations of all files, in a notation of our own.
    ///
    /// Whoever exchanges these messages needs their names, numbers and types, so these are all that stands here:
    ///
    /// * `file NAME [proto2] [IMPORT]…;` below `google/protobuf/`; the declarations of the file follow.
    /// * `MESSAGE: FIELD NUMBER [repeated|required|map] TYPE [of ONEOF], …;` The keys of a map are texts.
    /// * `extensions FIRST END` among the fields: the numbers from FIRST to END - 1.
    /// * `enum NAME: VALUE NUMBER, …;`
    static let declarations = """
        file any.proto;
        Any: type_url 1 string, value 2 bytes;
        file duration.proto;
        Duration: seconds 1 int64, nanos 2 int32;
        file empty.proto;
        Empty:;
        file field_mask.proto;
        FieldMask: paths 1 repeated string;
        file source_context.proto;
        SourceContext: file_name 1 string;
        file struct.proto;
        Struct: fields 1 map Value;
        Value: null_value 1 NullValue of kind, number_value 2 double of kind, string_value 3 string of kind,
            bool_value 4 bool of kind, struct_value 5 Struct of kind, list_value 6 ListValue of kind;
        ListValue: values 1 repeated Value;
        enum NullValue: NULL_VALUE 0;
        file timestamp.proto;
        Timestamp: seconds 1 int64, nanos 2 int32;
        file wrappers.proto;
        DoubleValue: value 1 double;
        FloatValue: value 1 float;
        Int64Value: value 1 int64;
        UInt64Value: value 1 uint64;
        Int32Value: value 1 int32;
        UInt32Value: value 1 uint32;
        BoolValue: value 1 bool;
        StringValue: value 1 string;
        BytesValue: value 1 bytes;
        file type.proto any.proto source_context.proto;
        Type: name 1 string, fields 2 repeated Field, oneofs 3 repeated string, options 4 repeated Option,
            source_context 5 SourceContext, syntax 6 Syntax, edition 7 string;
        Field: kind 1 Field.Kind, cardinality 2 Field.Cardinality, number 3 int32, name 4 string, type_url 6 string,
            oneof_index 7 int32, packed 8 bool, options 9 repeated Option, json_name 10 string,
            default_value 11 string;
        enum Field.Kind: TYPE_UNKNOWN 0, TYPE_DOUBLE 1, TYPE_FLOAT 2, TYPE_INT64 3, TYPE_UINT64 4, TYPE_INT32 5,
            TYPE_FIXED64 6, TYPE_FIXED32 7, TYPE_BOOL 8, TYPE_STRING 9, TYPE_GROUP 10, TYPE_MESSAGE 11,
            TYPE_BYTES 12, TYPE_UINT32 13, TYPE_ENUM 14, TYPE_SFIXED32 15, TYPE_SFIXED64 16, TYPE_SINT32 17,
            TYPE_SINT64 18;
        enum Field.Cardinality: CARDINALITY_UNKNOWN 0, CARDINALITY_OPTIONAL 1, CARDINALITY_REQUIRED 2,
            CARDINALITY_REPEATED 3;
        Enum: name 1 string, enumvalue 2 repeated EnumValue, options 3 repeated Option,
            source_context 4 SourceContext, syntax 5 Syntax, edition 6 string;
        EnumValue: name 1 string, number 2 int32, options 3 repeated Option;
        Option: name 1 string, value 2 Any;
        enum Syntax: SYNTAX_PROTO2 0, SYNTAX_PROTO3 1, SYNTAX_EDITIONS 2;
        file api.proto source_context.proto type.proto;
        Api: name 1 string, methods 2 repeated Method, options 3 repeated Option, version 4 string,
            source_context 5 SourceContext, mixins 6 repeated Mixin, syntax 7 Syntax, edition 8 string;
        Method: name 1 string, request_type_url 2 string, request_streaming 3 bool, response_type_url 4 string,
            response_streaming 5 bool, options 6 repeated Option, syntax 7 Syntax, edition 8 string;
        Mixin: name 1 string, root 2 string;
        file descriptor.proto proto2;
        FileDescriptorSet: file 1 repeated FileDescriptorProto, extensions 536000000 536000001;
        FileDescriptorProto: name 1 string, package 2 string, dependency 3 repeated string,
            message_type 4 repeated DescriptorProto, enum_type 5 repeated EnumDescriptorProto,
            service 6 repeated ServiceDescriptorProto, extension 7 repeated FieldDescriptorProto,
            options 8 FileOptions, source_code_info 9 SourceCodeInfo, public_dependency 10 repeated int32,
            weak_dependency 11 repeated int32, syntax 12 string, edition 14 Edition,
            option_dependency 15 repeated string;
        DescriptorProto: name 1 string, field 2 repeated FieldDescriptorProto,
            nested_type 3 repeated DescriptorProto, enum_type 4 repeated EnumDescriptorProto,
            extension_range 5 repeated DescriptorProto.ExtensionRange, extension 6 repeated FieldDescriptorProto,
            options 7 MessageOptions, oneof_decl 8 repeated OneofDescriptorProto,
            reserved_range 9 repeated DescriptorProto.ReservedRange, reserved_name 10 repeated string,
            visibility 11 SymbolVisibility;
        DescriptorProto.ExtensionRange: start 1 int32, end 2 int32, options 3 ExtensionRangeOptions;
        DescriptorProto.ReservedRange: start 1 int32, end 2 int32;
        ExtensionRangeOptions: declaration 2 repeated ExtensionRangeOptions.Declaration,
            verification 3 ExtensionRangeOptions.VerificationState, features 50 FeatureSet,
            uninterpreted_option 999 repeated UninterpretedOption, extensions 1000 536870912;
        enum ExtensionRangeOptions.VerificationState: DECLARATION 0, UNVERIFIED 1;
        ExtensionRangeOptions.Declaration: number 1 int32, full_name 2 string, type 3 string, reserved 5 bool,
            repeated 6 bool;
        FieldDescriptorProto: name 1 string, extendee 2 string, number 3 int32, label 4 FieldDescriptorProto.Label,
            type 5 FieldDescriptorProto.Type, type_name 6 string, default_value 7 string, options 8 FieldOptions,
            oneof_index 9 int32, json_name 10 string, proto3_optional 17 bool;
        enum FieldDescriptorProto.Type: TYPE_DOUBLE 1, TYPE_FLOAT 2, TYPE_INT64 3, TYPE_UINT64 4, TYPE_INT32 5,
            TYPE_FIXED64 6, TYPE_FIXED32 7, TYPE_BOOL 8, TYPE_STRING 9, TYPE_GROUP 10, TYPE_MESSAGE 11,
            TYPE_BYTES 12, TYPE_UINT32 13, TYPE_ENUM 14, TYPE_SFIXED32 15, TYPE_SFIXED64 16, TYPE_SINT32 17,
            TYPE_SINT64 18;
        enum FieldDescriptorProto.Label: LABEL_OPTIONAL 1, LABEL_REQUIRED 2, LABEL_REPEATED 3;
        OneofDescriptorProto: name 1 string, options 2 OneofOptions;
        EnumDescriptorProto: name 1 string, value 2 repeated EnumValueDescriptorProto, options 3 EnumOptions,
            reserved_range 4 repeated EnumDescriptorProto.EnumReservedRange, reserved_name 5 repeated string,
            visibility 6 SymbolVisibility;
        EnumDescriptorProto.EnumReservedRange: start 1 int32, end 2 int32;
        EnumValueDescriptorProto: name 1 string, number 2 int32, options 3 EnumValueOptions;
        ServiceDescriptorProto: name 1 string, method 2 repeated MethodDescriptorProto, options 3 ServiceOptions;
        MethodDescriptorProto: name 1 string, input_type 2 string, output_type 3 string, options 4 MethodOptions,
            client_streaming 5 bool, server_streaming 6 bool;
        FileOptions: java_package 1 string, java_outer_classname 8 string, optimize_for 9 FileOptions.OptimizeMode,
            java_multiple_files 10 bool, go_package 11 string, cc_generic_services 16 bool,
            java_generic_services 17 bool, py_generic_services 18 bool, java_generate_equals_and_hash 20 bool,
            deprecated 23 bool, java_string_check_utf8 27 bool, cc_enable_arenas 31 bool,
            objc_class_prefix 36 string, csharp_namespace 37 string, swift_prefix 39 string,
            php_class_prefix 40 string, php_namespace 41 string, php_generic_services 42 bool,
            php_metadata_namespace 44 string, ruby_package 45 string, features 50 FeatureSet,
            uninterpreted_option 999 repeated UninterpretedOption,
            extensions 1000 536870912;
        enum FileOptions.OptimizeMode: SPEED 1, CODE_SIZE 2, LITE_RUNTIME 3;
        MessageOptions: message_set_wire_format 1 bool, no_standard_descriptor_accessor 2 bool, deprecated 3 bool,
            map_entry 7 bool, deprecated_legacy_json_field_conflicts 11 bool, features 12 FeatureSet,
            uninterpreted_option 999 repeated UninterpretedOption, extensions 1000 536870912;
        FieldOptions: ctype 1 FieldOptions.CType, packed 2 bool, deprecated 3 bool, lazy 5 bool,
            jstype 6 FieldOptions.JSType, weak 10 bool, unverified_lazy 15 bool, debug_redact 16 bool,
            retention 17 FieldOptions.OptionRetention, targets 19 repeated FieldOptions.OptionTargetType,
            edition_defaults 20 repeated FieldOptions.EditionDefault, features 21 FeatureSet,
            feature_support 22 FieldOptions.FeatureSupport, uninterpreted_option 999 repeated UninterpretedOption,
            extensions 1000 536870912;
        enum FieldOptions.CType: STRING 0, CORD 1, STRING_PIECE 2;
        enum FieldOptions.JSType: JS_NORMAL 0, JS_STRING 1, JS_NUMBER 2;
        enum FieldOptions.OptionRetention: RETENTION_UNKNOWN 0, RETENTION_RUNTIME 1, RETENTION_SOURCE 2;
        enum FieldOptions.OptionTargetType: TARGET_TYPE_UNKNOWN 0, TARGET_TYPE_FILE 1,
            TARGET_TYPE_EXTENSION_RANGE 2, TARGET_TYPE_MESSAGE 3, TARGET_TYPE_FIELD 4, TARGET_TYPE_ONEOF 5,
            TARGET_TYPE_ENUM 6, TARGET_TYPE_ENUM_ENTRY 7, TARGET_TYPE_SERVICE 8, TARGET_TYPE_METHOD 9;
        FieldOptions.EditionDefault: value 2 string, edition 3 Edition;
        FieldOptions.FeatureSupport: edition_introduced 1 Edition, edition_deprecated 2 Edition,
            deprecation_warning 3 string, edition_removed 4 Edition;
        OneofOptions: features 1 FeatureSet, uninterpreted_option 999 repeated UninterpretedOption,
            extensions 1000 536870912;
        EnumOptions: allow_alias 2 bool, deprecated 3 bool, deprecated_legacy_json_field_conflicts 6 bool,
            features 7 FeatureSet, uninterpreted_option 999 repeated UninterpretedOption, extensions 1000 536870912;
        EnumValueOptions: deprecated 1 bool, features 2 FeatureSet, debug_redact 3 bool,
            feature_support 4 FieldOptions.FeatureSupport, uninterpreted_option 999 repeated UninterpretedOption,
            extensions 1000 536870912;
        ServiceOptions: deprecated 33 bool, features 34 FeatureSet,
            uninterpreted_option 999 repeated UninterpretedOption, extensions 1000 536870912;
        MethodOptions: deprecated 33 bool, idempotency_level 34 MethodOptions.IdempotencyLevel,
            features 35 FeatureSet, uninterpreted_option 999 repeated UninterpretedOption,
            extensions 1000 536870912;
        enum MethodOptions.IdempotencyLevel: IDEMPOTENCY_UNKNOWN 0, NO_SIDE_EFFECTS 1, IDEMPOTENT 2;
        UninterpretedOption: name 2 repeated UninterpretedOption.NamePart, identifier_value 3 string,
            positive_int_value 4 uint64, negative_int_value 5 int64, double_value 6 double, string_value 7 bytes,
            aggregate_value 8 string;
        UninterpretedOption.NamePart: name_part 1 required string, is_extension 2 required bool;
        FeatureSet: field_presence 1 FeatureSet.FieldPresence, enum_type 2 FeatureSet.EnumType,
            repeated_field_encoding 3 FeatureSet.RepeatedFieldEncoding, utf8_validation 4 FeatureSet.Utf8Validation,
            message_encoding 5 FeatureSet.MessageEncoding, json_format 6 FeatureSet.JsonFormat,
            enforce_naming_style 7 FeatureSet.EnforceNamingStyle,
            default_symbol_visibility 8 FeatureSet.VisibilityFeature.DefaultSymbolVisibility, extensions 1000 10001;
        enum FeatureSet.FieldPresence: FIELD_PRESENCE_UNKNOWN 0, EXPLICIT 1, IMPLICIT 2, LEGACY_REQUIRED 3;
        enum FeatureSet.EnumType: ENUM_TYPE_UNKNOWN 0, OPEN 1, CLOSED 2;
        enum FeatureSet.RepeatedFieldEncoding: REPEATED_FIELD_ENCODING_UNKNOWN 0, PACKED 1, EXPANDED 2;
        enum FeatureSet.Utf8Validation: UTF8_VALIDATION_UNKNOWN 0, VERIFY 2, NONE 3;
        enum FeatureSet.MessageEncoding: MESSAGE_ENCODING_UNKNOWN 0, LENGTH_PREFIXED 1, DELIMITED 2;
        enum FeatureSet.JsonFormat: JSON_FORMAT_UNKNOWN 0, ALLOW 1, LEGACY_BEST_EFFORT 2;
        enum FeatureSet.EnforceNamingStyle: ENFORCE_NAMING_STYLE_UNKNOWN 0, STYLE2024 1, STYLE_LEGACY 2;
        FeatureSet.VisibilityFeature:;
        enum FeatureSet.VisibilityFeature.DefaultSymbolVisibility: DEFAULT_SYMBOL_VISIBILITY_UNKNOWN 0,
            EXPORT_ALL 1, EXPORT_TOP_LEVEL 2, LOCAL_ALL 3, STRICT 4;
        FeatureSetDefaults: defaults 1 repeated FeatureSetDefaults.FeatureSetEditionDefault,
            minimum_edition 4 Edition, maximum_edition 5 Edition;
        FeatureSetDefaults.FeatureSetEditionDefault: edition 3 Edition, overridable_features 4 FeatureSet,
            fixed_features 5 FeatureSet;
        SourceCodeInfo: location 1 repeated SourceCodeInfo.Location, extensions 536000000 536000001;
        SourceCodeInfo.Location: path 1 repeated int32, span 2 repeated int32, leading_comments 3 string,
            trailing_comments 4 string, leading_detached_comments 6 repeated string;
        GeneratedCodeInfo: annotation 1 repeated GeneratedCodeInfo.Annotation;
        GeneratedCodeInfo.Annotation: path 1 repeated int32, source_file 2 string, begin 3 int32, end 4 int32,
            semantic 5 GeneratedCodeInfo.Annotation.Semantic;
        enum GeneratedCodeInfo.Annotation.Semantic: NONE 0, SET 1, ALIAS 2;
        enum Edition: EDITION_UNKNOWN 0, EDITION_1_TEST_ONLY 1, EDITION_2_TEST_ONLY 2, EDITION_LEGACY 900,
            EDITION_PROTO2 998, EDITION_PROTO3 999, EDITION_2023 1000, EDITION_2024 1001, EDITION_UNSTABLE 9999,
            EDITION_99997_TEST_ONLY 99997, EDITION_99998_TEST_ONLY 99998, EDITION_99999_TEST_ONLY 99999,
            EDITION_MAX 2147483647;
        enum SymbolVisibility: VISIBILITY_UNSET 0, VISIBILITY_LOCAL 1, VISIBILITY_EXPORT 2;
        file compiler/plugin.proto proto2 descriptor.proto;
        Version: major 1 int32, minor 2 int32, patch 3 int32, suffix 4 string;
        CodeGeneratorRequest: file_to_generate 1 repeated string, parameter 2 string, compiler_version 3 Version,
            proto_file 15 repeated FileDescriptorProto, source_file_descriptors 17 repeated FileDescriptorProto;
        CodeGeneratorResponse: error 1 string, supported_features 2 uint64, minimum_edition 3 int32,
            maximum_edition 4 int32, file 15 repeated CodeGeneratorResponse.File;
        enum CodeGeneratorResponse.Feature: FEATURE_NONE 0, FEATURE_PROTO3_OPTIONAL 1, FEATURE_SUPPORTS_EDITIONS 2;
        CodeGeneratorResponse.File: name 1 string, insertion_point 2 string, content 15 string,
            generated_code_info 16 GeneratedCodeInfo;
        """
}
