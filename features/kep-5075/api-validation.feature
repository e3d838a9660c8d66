Feature: What the API server checks in claims that use consumable capacity
  Constraints, requested amounts and the identifiers of shares.

  Rule: A constraint compares one attribute, either for being equal or for being distinct

    Background:
      Given a claim "c" with the requests
        | request   | class |
        | macvlan-1 | nic   |
        | macvlan-2 | nic   |

    @case:the-attribute-has-to-be-named-with-its-domain-unlike
    @KEP-5075/api-validation/distinct-needs-domain
    Scenario: The attribute has to be named with its domain, unlike in the document's example
      When the ResourceClaim "c" is created with
        | field                    | value                                                                  |
        | spec.devices.constraints | [{requests: [macvlan-1, macvlan-2], distinctAttribute: interfaceName}] |
      Then it is rejected
      But since Kubernetes 1.34, because the document does not say which error it is: it is rejected with Invalid at "spec.devices.constraints[0].distinctAttribute"

    @case:a-distinct-attribute-with-its-domain-among-requests
    @KEP-5075/api-validation/distinct-needs-domain @KEP-5075/api-validation/distinct-request-references @KEP-5075/api-validation/constraint-exactly-one
    Scenario: A distinct attribute with its domain, among requests of the claim, is stored
      When the ResourceClaim "c" is created with
        | field                    | value                                                                                              |
        | spec.devices.constraints | [{requests: [macvlan-1, macvlan-2], distinctAttribute: cni.dra.networking.x-k8s.io/interfaceName}] |
      Then the field "spec.devices.constraints" is kept

    @case:a-request-that-the-claim-does-not-have-cannot-be
    @KEP-5075/api-validation/distinct-request-references
    Scenario: A request that the claim does not have cannot be constrained
      When the ResourceClaim "c" is created with
        | field                    | value                                                                                |
        | spec.devices.constraints | [{requests: [macvlan-1, missing], distinctAttribute: cni.example.com/interfaceName}] |
      Then it is rejected
      But since Kubernetes 1.34, because the document does not say which error it is: it is rejected with Invalid at "spec.devices.constraints[0].requests[1]"

    @case:a-constraint-without-an-attribute-is-refused
    @KEP-5075/api-validation/constraint-exactly-one
    Scenario: A constraint without an attribute is refused
      Given the feature gate "DRAConsumableCapacity" is on
      When the ResourceClaim "c" is created with
        | field                    | value                                |
        | spec.devices.constraints | [{requests: [macvlan-1, macvlan-2]}] |
      Then it is rejected
      But since Kubernetes 1.34, because the document does not say which error it is: it is rejected with Required at "spec.devices.constraints[0]"

    @case:a-constraint-with-both-attributes-is-refused
    @KEP-5075/api-validation/constraint-exactly-one
    Scenario: A constraint with both attributes is refused
      When the ResourceClaim "c" is created with
        | field                    | value                                                                                         |
        | spec.devices.constraints | [{matchAttribute: cni.example.com/network, distinctAttribute: cni.example.com/interfaceName}] |
      Then it is rejected
      But since Kubernetes 1.34, because releases take a constraint with both attributes: the field "spec.devices.constraints" is kept

    @case:two-constraints-of-different-kinds-are-stored
    @KEP-5075/api-validation/constraint-exactly-one
    Scenario: Two constraints of different kinds are stored
      When the ResourceClaim "c" is created with
        | field                    | value                                                                                           |
        | spec.devices.constraints | [{matchAttribute: cni.example.com/network}, {distinctAttribute: cni.example.com/interfaceName}] |
      Then the field "spec.devices.constraints" is kept

    @case:with-the-gate-off-a-claim-is-refused-rather-than
    @KEP-5075/api-validation/match-required-gate-off
    Scenario: With the gate off, a claim is refused rather than stored without its distinct attribute
      Given the feature gate "DRAConsumableCapacity" is off
      When the ResourceClaim "c" is created with
        | field                    | value                                                |
        | spec.devices.constraints | [{distinctAttribute: cni.example.com/interfaceName}] |
      Then it is rejected with Required at "spec.devices.constraints[0].matchAttribute"
      But in Kubernetes 1.34, because this release does not drop distinctAttribute: the field "spec.devices.constraints" is kept

    @case:with-the-gate-off-the-other-attribute-is-what
    @KEP-5075/api-validation/match-required-gate-off
    Scenario: With the gate off, the other attribute is what remains of a constraint with both
      Given the feature gate "DRAConsumableCapacity" is off
      When the ResourceClaim "c" is created with
        | field                    | value                                                                                         |
        | spec.devices.constraints | [{matchAttribute: cni.example.com/network, distinctAttribute: cni.example.com/interfaceName}] |
      Then it is stored with
        | field                       | value                                     |
        | spec.devices.constraints[0] | {matchAttribute: cni.example.com/network} |
      But in Kubernetes 1.34, because this release does not drop distinctAttribute: the field "spec.devices.constraints" is kept

  Rule: A share is identified by a UID

    Background:
      Given a claim "c" requesting 1Gi of "bandwidth"

    @case:a-share-that-is-given-a-uid-is-stored
    @KEP-5075/api-validation/share-id-uid-in-result
    Scenario: A share that is given a UID is stored
      When the status of the ResourceClaim "c" is updated with
        | field                             | value                                                                                                               |
        | status.allocation.devices.results | [{request: r0, driver: cni.example.com, pool: pool-1, device: eth1, shareID: a671734a-e8e5-11e4-8fde-42010af09327}] |
      Then it is stored as it was written

    @case:a-share-that-is-given-any-other-name-is-refused
    @KEP-5075/api-validation/share-id-uid-in-result
    Scenario: A share that is given any other name is refused
      When the status of the ResourceClaim "c" is updated with
        | field                             | value                                                                                      |
        | status.allocation.devices.results | [{request: r0, driver: cni.example.com, pool: pool-1, device: eth1, shareID: first-share}] |
      Then it is rejected
      But since Kubernetes 1.34, because the document does not say which error it is: it is rejected with Invalid at "status.allocation.devices.results[0].shareID"

  Rule: A report belongs to exactly one allocated device or share

    Background:
      Given the fixture "claim-with-two-shares"

    @case:a-report-on-one-of-two-shares-and-one-on-a-dedicated
    @KEP-5075/api-validation/share-id-uid-in-device-status @KEP-5075/api-validation/device-status-must-match-allocation
    Scenario: A report on one of two shares and one on a dedicated device are stored
      When the status of the ResourceClaim "c" is updated with
        | field          | value                                                                                                                                                         |
        | status.devices | [{driver: cni.example.com, pool: pool-1, device: eth1, shareID: a671734a-e8e5-11e4-8fde-42010af09327}, {driver: gpu.example.com, pool: pool-1, device: gpu0}] |
      Then it is stored as it was written

    @case:a-report-on-a-share-needs-its-uid
    @KEP-5075/api-validation/share-id-uid-in-device-status @profile:since-1.34
    Scenario: A report on a share needs its UID
      When the status of the ResourceClaim "c" is updated with
        | field          | value                                                                         |
        | status.devices | [{driver: cni.example.com, pool: pool-1, device: eth1, shareID: first-share}] |
      Then it is rejected with Invalid at "status.devices[0].shareID"

    @case:a-share-has-one-report
    @KEP-5075/api-validation/device-status-duplicate-key
    Scenario: A share has one report
      When the status of the ResourceClaim "c" is updated with
        | field          | value                                                                                                                                                                                                        |
        | status.devices | [{driver: cni.example.com, pool: pool-1, device: eth1, shareID: a671734a-e8e5-11e4-8fde-42010af09327}, {driver: cni.example.com, pool: pool-1, device: eth1, shareID: a671734a-e8e5-11e4-8fde-42010af09327}] |
      Then it is rejected
      But in Kubernetes 1.34, because the document does not say which error it is: it is rejected with Duplicate at "status.devices[1].deviceID"
      But since Kubernetes 1.35, because the document does not say which error it is: it is rejected with Duplicate at "status.devices[1]"

    @case:two-shares-of-one-device-have-a-report-each
    @KEP-5075/api-validation/device-status-duplicate-key @KEP-5075/api-validation/device-status-must-match-allocation
    Scenario: Two shares of one device have a report each
      When the status of the ResourceClaim "c" is updated with
        | field          | value                                                                                                                                                                                                        |
        | status.devices | [{driver: cni.example.com, pool: pool-1, device: eth1, shareID: a671734a-e8e5-11e4-8fde-42010af09327}, {driver: cni.example.com, pool: pool-1, device: eth1, shareID: a671734a-e8e5-11e4-8fde-42010af09328}] |
      Then it is stored as it was written

  Rule: Nothing of it is obligatory

    @case:with-the-gate-off-a-policy-that-contradicts-itself
    @KEP-5075/api-validation/runs-only-when-field-kept
    Scenario: With the gate off, a policy that contradicts itself does no harm
      Given the feature gate "DRAConsumableCapacity" is off
      And the device
        | device | shared | capacity bandwidth | policy bandwidth |
        | eth1   | yes    | 10                 | values 20 4      |
      When the ResourceSlice "pool-1-slice" is created
      Then the field "spec.devices[0].capacity[bandwidth].requestPolicy" is dropped
      And the field "spec.devices[0].capacity[bandwidth].value" is kept

    @case:with-the-gate-on-the-same-policy-is-refused
    @KEP-5075/api-validation/runs-only-when-field-kept
    Scenario: With the gate on, the same policy is refused
      Given the device
        | device | shared | capacity bandwidth | policy bandwidth |
        | eth1   | yes    | 10                 | values 20 4      |
      When the ResourceSlice "pool-1-slice" is created
      Then it is rejected with Required at "spec.devices[0].capacity[bandwidth].requestPolicy.default"

    @case:an-exact-request-and-every-alternative-can-ask-for
    @KEP-5075/api-validation/capacity-in-both-request-kinds
    Scenario: An exact request and every alternative can ask for amounts of their own
      Given a claim "c" with the requests
        | request | subrequest  | class | capacity memory |
        | exact   |             | gpu   | 4Gi             |
        | listed  | big         | gpu   | 16Gi            |
        | listed  | small       | gpu   | 8Gi             |
      When the ResourceClaim "c" is created
      Then the field "spec.devices.requests[0].exactly.capacity" is kept
      And the field "spec.devices.requests[1].firstAvailable[0].capacity" is kept
      And the field "spec.devices.requests[1].firstAvailable[1].capacity" is kept

    @case:a-request-may-have-a-capacity-that-asks-for-nothing
    @KEP-5075/api-validation/fields-optional
    Scenario: A request may have a capacity that asks for nothing
      Given a claim "c" requesting an empty capacity
      When the ResourceClaim "c" is created
      Then the field "spec.devices.requests[0].exactly.capacity" is kept

    @case:a-policy-has-no-and-what-is-unknown-is-not-stored
    @KEP-5075/api-validation/future-fields-absent
    Scenario Outline: A policy has no <field>, and what is unknown is not stored
      Given the device
        | device | shared | capacity bandwidth | policy bandwidth |
        | eth1   | yes    | 10                 | default 1        |
      When the ResourceSlice "pool-1-slice" is created with
        | field                                                     | value   |
        | spec.devices[0].capacity[bandwidth].requestPolicy.<field> | <value> |
      Then it is stored
      And the field "spec.devices[0].capacity[bandwidth].requestPolicy.<field>" is dropped

      Examples:
        | field             | value          |
        | strategy          | AlwaysConsumed |
        | requestPolicyRef  | guaranteed     |
        | requestPolicyName | guaranteed     |
        | zeroConsumption   | true           |
