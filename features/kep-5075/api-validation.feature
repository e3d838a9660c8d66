Feature: Validation of objects that use consumable capacity
  Constraints, capacity requests, request policies and share IDs.

  Rule: matchAttribute and distinctAttribute in constraints

    Background:
      Given a ResourceClaim "c" with the requests
        | request   | deviceClassName |
        | macvlan-1 | nic             |
        | macvlan-2 | nic             |

    @case:distinct-attribute-without-domain
    @KEP-5075/api-validation/distinct-needs-domain
    Scenario: A distinctAttribute without a domain, as in the KEP's example, is rejected
      When ResourceClaim "c" is created with
        | field                    | value                                                                  |
        | spec.devices.constraints | [{requests: [macvlan-1, macvlan-2], distinctAttribute: interfaceName}] |
      Then the object is rejected
      But since Kubernetes 1.34, because the KEP does not specify the error: the object is rejected with Invalid at "spec.devices.constraints[0].distinctAttribute"

    @case:distinct-attribute-with-domain
    @KEP-5075/api-validation/distinct-needs-domain @KEP-5075/api-validation/constraint-exactly-one
    Scenario: A constraint with a fully qualified distinctAttribute is stored
      When ResourceClaim "c" is created with
        | field                    | value                                                                                              |
        | spec.devices.constraints | [{requests: [macvlan-1, macvlan-2], distinctAttribute: cni.dra.networking.x-k8s.io/interfaceName}] |
      Then the field "spec.devices.constraints" is kept

    @case:constraint-on-unknown-request
    @KEP-5075/api-validation/distinct-request-references
    Scenario: A constraint that references an unknown request is rejected
      When ResourceClaim "c" is created with
        | field                    | value                                                                                |
        | spec.devices.constraints | [{requests: [macvlan-1, missing], distinctAttribute: cni.example.com/interfaceName}] |
      Then the object is rejected
      But since Kubernetes 1.34, because the KEP does not specify the error: the object is rejected with Invalid at "spec.devices.constraints[0].requests[1]"

    @case:constraint-without-attribute
    @KEP-5075/api-validation/constraint-exactly-one
    Scenario: A constraint with neither matchAttribute nor distinctAttribute is rejected
      Given the feature gate "DRAConsumableCapacity" is on
      When ResourceClaim "c" is created with
        | field                    | value                                |
        | spec.devices.constraints | [{requests: [macvlan-1, macvlan-2]}] |
      Then the object is rejected
      But since Kubernetes 1.34, because the KEP does not specify the error: the object is rejected with Required at "spec.devices.constraints[0]"

    @case:constraint-with-both-attributes
    @KEP-5075/api-validation/constraint-exactly-one
    Scenario: A constraint with both matchAttribute and distinctAttribute is rejected
      When ResourceClaim "c" is created with
        | field                    | value                                                                                         |
        | spec.devices.constraints | [{matchAttribute: cni.example.com/network, distinctAttribute: cni.example.com/interfaceName}] |
      Then the object is rejected
      But since Kubernetes 1.34, because releases accept a constraint with both attributes: the field "spec.devices.constraints" is kept

    @case:one-constraint-of-each-kind
    @KEP-5075/api-validation/constraint-exactly-one
    Scenario: A ResourceClaim with one matchAttribute and one distinctAttribute constraint is stored
      When ResourceClaim "c" is created with
        | field                    | value                                                                                           |
        | spec.devices.constraints | [{matchAttribute: cni.example.com/network}, {distinctAttribute: cni.example.com/interfaceName}] |
      Then the field "spec.devices.constraints" is kept

    @case:gate-off-distinct-only-rejected
    @KEP-5075/api-validation/match-required-gate-off
    Scenario: With DRAConsumableCapacity off, a constraint with only distinctAttribute is rejected
      Given the feature gate "DRAConsumableCapacity" is off
      When ResourceClaim "c" is created with
        | field                    | value                                                |
        | spec.devices.constraints | [{distinctAttribute: cni.example.com/interfaceName}] |
      Then the object is rejected
      But since Kubernetes 1.35, because the document leaves open the type and the path of the error: the object is rejected with Required at "spec.devices.constraints[0].matchAttribute"
      But in Kubernetes 1.34, because this release does not drop distinctAttribute: the field "spec.devices.constraints" is kept

    @case:gate-off-both-keeps-match
    @KEP-5075/api-validation/match-required-gate-off @KEP-5075/create-strategy/drop-claim-fields
    Scenario: With DRAConsumableCapacity off, matchAttribute is kept and distinctAttribute is dropped
      Given the feature gate "DRAConsumableCapacity" is off
      When ResourceClaim "c" is created with
        | field                    | value                                                                                         |
        | spec.devices.constraints | [{matchAttribute: cni.example.com/network, distinctAttribute: cni.example.com/interfaceName}] |
      Then the object is stored with
        | field                       | value                                     |
        | spec.devices.constraints[0] | {matchAttribute: cni.example.com/network} |
      But in Kubernetes 1.34, because this release does not drop distinctAttribute: the field "spec.devices.constraints" is kept

  Rule: shareID of an allocation result

    Background:
      Given a ResourceClaim "c" requesting 1Gi of "bandwidth"

    @case:result-share-id-is-uid
    @KEP-5075/api-validation/share-id-uid-in-result
    Scenario: An allocation result whose shareID is a UID is stored
      When the status of ResourceClaim "c" is updated with
        | field                             | value                                                                                                               |
        | status.allocation.devices.results | [{request: r0, driver: cni.example.com, pool: pool-1, device: eth1, shareID: a671734a-e8e5-11e4-8fde-42010af09327}] |
      Then the object is stored as written

    @case:result-share-id-not-uid
    @KEP-5075/api-validation/share-id-uid-in-result
    Scenario: An allocation result whose shareID is not a UID is rejected
      When the status of ResourceClaim "c" is updated with
        | field                             | value                                                                                      |
        | status.allocation.devices.results | [{request: r0, driver: cni.example.com, pool: pool-1, device: eth1, shareID: first-share}] |
      Then the object is rejected
      But since Kubernetes 1.34, because the KEP does not specify the error: the object is rejected with Invalid at "status.allocation.devices.results[0].shareID"

  Rule: Device status and the allocation result that it refers to

    Background:
      Given the fixture "claim-with-two-shares"

    @case:status-of-share-and-exclusive-device
    @KEP-5075/api-validation/share-id-uid-in-device-status @KEP-5075/api-validation/device-status-must-match-allocation
    Scenario: Device status is stored for an exclusive device and for one of two shared allocations
      When the status of ResourceClaim "c" is updated with
        | field          | value                                                                                                                                                         |
        | status.devices | [{driver: cni.example.com, pool: pool-1, device: eth1, shareID: a671734a-e8e5-11e4-8fde-42010af09327}, {driver: gpu.example.com, pool: pool-1, device: gpu0}] |
      Then the object is stored as written

    @case:device-status-share-id-not-uid
    @KEP-5075/api-validation/share-id-uid-in-device-status @profile:since-1.34
    Scenario: A device status whose shareID is not a UID is rejected
      When the status of ResourceClaim "c" is updated with
        | field          | value                                                                         |
        | status.devices | [{driver: cni.example.com, pool: pool-1, device: eth1, shareID: first-share}] |
      Then the object is rejected with Invalid at "status.devices[0].shareID"

    @case:device-status-allocated-share-id-not-uid
    @KEP-5075/api-validation/share-id-uid-in-device-status
    Scenario: A device status is rejected if it has the shareID of its allocation and this is not a UID
      Given objects that the API server rejects, because only a stored shareID that is not a UID can match its device status
      And the object
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: d, namespace: default}
        spec:
          devices:
            requests: [{name: r0, exactly: {deviceClassName: nic, allocationMode: ExactCount, count: 1}}]
        status:
          allocation:
            devices:
              results: [{request: r0, driver: cni.example.com, pool: pool-1, device: eth1, shareID: first-share}]
        """
      When the status of ResourceClaim "d" is updated with
        | field          | value                                                                         |
        | status.devices | [{driver: cni.example.com, pool: pool-1, device: eth1, shareID: first-share}] |
      Then the object is rejected
      But since Kubernetes 1.34, because the KEP does not specify the error: the object is rejected with Invalid at "status.devices[0].shareID"

    @case:duplicate-device-status
    @KEP-5075/api-validation/device-status-duplicate-key
    Scenario: Two device statuses with the same device and shareID are rejected
      When the status of ResourceClaim "c" is updated with
        | field          | value                                                                                                                                                                                                        |
        | status.devices | [{driver: cni.example.com, pool: pool-1, device: eth1, shareID: a671734a-e8e5-11e4-8fde-42010af09327}, {driver: cni.example.com, pool: pool-1, device: eth1, shareID: a671734a-e8e5-11e4-8fde-42010af09327}] |
      Then the object is rejected
      But in Kubernetes 1.34, because the KEP does not specify the error: the object is rejected with Duplicate at "status.devices[1].deviceID"
      But since Kubernetes 1.35, because the KEP does not specify the error: the object is rejected with Duplicate at "status.devices[1]"

    @case:device-status-per-share
    @KEP-5075/api-validation/device-status-duplicate-key @KEP-5075/api-validation/device-status-must-match-allocation
    Scenario: Two device statuses of one device with different shareIDs are stored
      When the status of ResourceClaim "c" is updated with
        | field          | value                                                                                                                                                                                                        |
        | status.devices | [{driver: cni.example.com, pool: pool-1, device: eth1, shareID: a671734a-e8e5-11e4-8fde-42010af09327}, {driver: cni.example.com, pool: pool-1, device: eth1, shareID: a671734a-e8e5-11e4-8fde-42010af09328}] |
      Then the object is stored as written

  Rule: Optional and unknown fields of requests and request policies

    @case:gate-off-invalid-policy-dropped
    @KEP-5075/api-validation/runs-only-when-field-kept
    Scenario: With DRAConsumableCapacity off, an invalid requestPolicy is dropped without an error
      Given the feature gate "DRAConsumableCapacity" is off
      And the device
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth |
        | eth1   | yes                      | 10                 | values 20 4             |
      When ResourceSlice "pool-1-slice" is created
      Then the field "spec.devices[0].capacity[bandwidth].requestPolicy" is dropped
      And the field "spec.devices[0].capacity[bandwidth].value" is kept

    @case:gate-on-invalid-policy-rejected
    @KEP-5075/api-validation/runs-only-when-field-kept
    Scenario: With DRAConsumableCapacity on, an invalid requestPolicy is rejected
      Given the device
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth |
        | eth1   | yes                      | 10                 | values 20 4             |
      When ResourceSlice "pool-1-slice" is created
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the type and the path of the error: the object is rejected with Required at "spec.devices[0].capacity[bandwidth].requestPolicy.default"

    @case:capacity-in-exactly-and-subrequests
    @KEP-5075/api-validation/capacity-in-both-request-kinds
    Scenario: Capacity is kept in the exactly field and in each subrequest of firstAvailable
      Given a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName | capacity memory |
        | exact   |            | gpu             | 4Gi             |
        | listed  | big        | gpu             | 16Gi            |
        | listed  | small      | gpu             | 8Gi             |
      When ResourceClaim "c" is created
      Then the field "spec.devices.requests[0].exactly.capacity" is kept
      And the field "spec.devices.requests[1].firstAvailable[0].capacity" is kept
      And the field "spec.devices.requests[1].firstAvailable[1].capacity" is kept

    @case:empty-capacity-kept
    @KEP-5075/api-validation/fields-optional
    Scenario: An empty capacity object in a request is kept
      Given a ResourceClaim "c" requesting an empty capacity
      When ResourceClaim "c" is created
      Then the field "spec.devices.requests[0].exactly.capacity" is kept

    @case:unknown-policy-field-dropped
    @KEP-5075/api-validation/future-fields-absent
    Scenario Outline: An unknown field of a requestPolicy is dropped and the ResourceSlice is stored
      Given the device
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth |
        | eth1   | yes                      | 10                 | default 1               |
      When ResourceSlice "pool-1-slice" is created with
        | field                                                     | value   |
        | spec.devices[0].capacity[bandwidth].requestPolicy.<field> | <value> |
      Then the object is stored
      And the field "spec.devices[0].capacity[bandwidth].requestPolicy.<field>" is dropped

      Examples:
        | field             | value          |
        | strategy          | AlwaysConsumed |
        | requestPolicyRef  | guaranteed     |
        | requestPolicyName | guaranteed     |
        | zeroConsumption   | true           |
