Feature: What becomes of new objects while DRAConsumableCapacity is on or off
  An API server with the gate off takes objects that use the feature, without the fields that it does not offer.

  Rule: A new ResourceSlice

    Background:
      Given the device
        | device | shared | capacity bandwidth | policy bandwidth |
        | eth1   | yes    | 10                 | default 1, min 1 |

    @case:with-the-gate-on-a-shared-device-is-published-as-it
    @KEP-5075/create-strategy/keep-slice-fields @KEP-5075/size/api-types
    Scenario: With the gate on, a shared device is published as it was written
      When the ResourceSlice "pool-1-slice" is created
      Then it is stored as it was written

    @case:with-the-gate-off-a-shared-device-is-published-as-a
    @KEP-5075/create-strategy/drop-slice-fields
    Scenario: With the gate off, a shared device is published as a dedicated one that still has its capacity
      Given the feature gate "DRAConsumableCapacity" is off
      When the ResourceSlice "pool-1-slice" is created
      Then it is stored with
        | field                                     | value |
        | spec.devices[0].name                      | eth1  |
        | spec.devices[0].capacity[bandwidth].value | 10    |
      And the field "spec.devices[0].allowMultipleAllocations" is dropped
      And the field "spec.devices[0].capacity[bandwidth].requestPolicy" is dropped

  Rule: A new ResourceClaim

    @case:with-the-gate-on-a-claim-keeps-the-amount-it-asks
    @KEP-5075/create-strategy/keep-claim-fields @KEP-5075/size/api-types
    Scenario: With the gate on, a claim keeps the amount it asks for
      Given a claim "c" requesting 4Gi of "memory"
      When the ResourceClaim "c" is created
      Then it is stored with
        | field                                                      | value |
        | spec.devices.requests[0].exactly.capacity.requests[memory] | 4Gi   |

    @case:with-the-gate-off-a-claim-loses-the-amount-and-asks
    @KEP-5075/create-strategy/drop-claim-fields
    Scenario: With the gate off, a claim loses the amount and asks for a device of any size
      Given the feature gate "DRAConsumableCapacity" is off
      And a claim "c" requesting 4Gi of "memory"
      When the ResourceClaim "c" is created
      Then the field "spec.devices.requests[0].exactly.capacity" is dropped
      And the field "spec.devices.requests[0].exactly.deviceClassName" is kept

    @case:with-the-gate-off-alternatives-stay-but-no-longer
    @KEP-5075/create-strategy/drop-claim-fields @KEP-5075/update-strategy/sub-request-capacity-dropped
    Scenario: With the gate off, alternatives stay but no longer differ in what they ask for
      Given the feature gate "DRAConsumableCapacity" is off
      And a claim "c" with the requests
        | request | subrequest  | class | capacity memory |
        | gpu     | big         | gpu   | 16Gi            |
        | gpu     | small       | gpu   | 8Gi             |
      When the ResourceClaim "c" is created
      Then the field "spec.devices.requests[0].firstAvailable[0].name" is kept
      And the field "spec.devices.requests[0].firstAvailable[1].name" is kept
      And the field "spec.devices.requests[0].firstAvailable[0].capacity" is dropped
      And the field "spec.devices.requests[0].firstAvailable[1].capacity" is dropped

  Rule: A new ResourceClaimTemplate

    Background:
      Given the object
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaimTemplate
        metadata:
          name: two-nics
          namespace: default
        spec:
          spec:
            devices:
              requests:
                - name: left
                  exactly:
                    deviceClassName: nic
                    capacity:
                      requests:
                        bandwidth: 5Gi
                - name: right
                  exactly:
                    deviceClassName: nic
              constraints:
                - matchAttribute: cni.example.com/network
        """

    @case:with-the-gate-on-a-template-keeps-what-its-claims
    @KEP-5075/create-strategy/keep-template-fields @KEP-5075/size/api-types
    Scenario: With the gate on, a template keeps what its claims ask for
      When the ResourceClaimTemplate "two-nics" is created with
        | field                                              | value                         |
        | spec.spec.devices.constraints[1].distinctAttribute | cni.example.com/interfaceName |
      Then the field "spec.spec.devices.requests[0].exactly.capacity" is kept
      And the field "spec.spec.devices.constraints[1].distinctAttribute" is kept

    @case:with-the-gate-off-a-template-makes-claims-without
    @KEP-5075/create-strategy/drop-template-fields
    Scenario: With the gate off, a template makes claims without amounts
      Given the feature gate "DRAConsumableCapacity" is off
      When the ResourceClaimTemplate "two-nics" is created
      Then the field "spec.spec.devices.requests[0].exactly.capacity" is dropped
      And the field "spec.spec.devices.requests[1].exactly.deviceClassName" is kept
      And the field "spec.spec.devices.constraints[0].matchAttribute" is kept
