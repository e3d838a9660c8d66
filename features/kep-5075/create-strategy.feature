Feature: New objects with DRAConsumableCapacity on or off
  With the gate off, the API server accepts objects that use the feature and drops the fields of the feature.

  Rule: New ResourceSlices

    Background:
      Given the device
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth |
        | eth1   | yes                      | 10                 | default 1, min 1        |

    @case:gate-on-slice-unchanged
    @KEP-5075/create-strategy/keep-slice-fields @KEP-5075/size/api-types
    Scenario: With DRAConsumableCapacity on, a new ResourceSlice keeps all consumable capacity fields
      When ResourceSlice "pool-1-slice" is created
      Then the object is stored as written

    @case:gate-off-slice-keeps-capacity
    @KEP-5075/create-strategy/drop-slice-fields
    Scenario: Only consumable capacity fields are dropped from a slice with DRAConsumableCapacity off
      Given the feature gate "DRAConsumableCapacity" is off
      When ResourceSlice "pool-1-slice" is created
      Then the object is stored with
        | field                                     | value |
        | spec.devices[0].name                      | eth1  |
        | spec.devices[0].capacity[bandwidth].value | 10    |
      And the field "spec.devices[0].allowMultipleAllocations" is dropped
      And the field "spec.devices[0].capacity[bandwidth].requestPolicy" is dropped

  Rule: New ResourceClaims

    @case:gate-on-claim-keeps-capacity
    @KEP-5075/create-strategy/keep-claim-fields @KEP-5075/size/api-types
    Scenario: With DRAConsumableCapacity on, a new ResourceClaim keeps its capacity request
      Given a ResourceClaim "c" requesting 4Gi of "memory"
      When ResourceClaim "c" is created
      Then the object is stored with
        | field                                                      | value |
        | spec.devices.requests[0].exactly.capacity.requests[memory] | 4Gi   |

    @case:gate-off-claim-drops-capacity
    @KEP-5075/create-strategy/drop-claim-fields
    Scenario: With DRAConsumableCapacity off, capacity is dropped from a new ResourceClaim
      Given the feature gate "DRAConsumableCapacity" is off
      And a ResourceClaim "c" requesting 4Gi of "memory"
      When ResourceClaim "c" is created
      Then the field "spec.devices.requests[0].exactly.capacity" is dropped
      And the field "spec.devices.requests[0].exactly.deviceClassName" is kept

    @case:gate-off-subrequests-drop-capacity
    @KEP-5075/create-strategy/drop-claim-fields @KEP-5075/update-strategy/sub-request-capacity-dropped
    Scenario: Capacity is dropped from subrequests of a new claim with DRAConsumableCapacity off
      Given the feature gate "DRAConsumableCapacity" is off
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName | capacity memory |
        | gpu     | big        | gpu             | 16Gi            |
        | gpu     | small      | gpu             | 8Gi             |
      When ResourceClaim "c" is created
      Then the field "spec.devices.requests[0].firstAvailable[0].name" is kept
      And the field "spec.devices.requests[0].firstAvailable[1].name" is kept
      And the field "spec.devices.requests[0].firstAvailable[0].capacity" is dropped
      And the field "spec.devices.requests[0].firstAvailable[1].capacity" is dropped

  Rule: New ResourceClaimTemplates

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

    @case:gate-on-template-keeps-fields
    @KEP-5075/create-strategy/keep-template-fields @KEP-5075/size/api-types
    Scenario: With DRAConsumableCapacity on, a new template keeps capacity and distinctAttribute
      When ResourceClaimTemplate "two-nics" is created with
        | field                                              | value                         |
        | spec.spec.devices.constraints[1].distinctAttribute | cni.example.com/interfaceName |
      Then the field "spec.spec.devices.requests[0].exactly.capacity" is kept
      And the field "spec.spec.devices.constraints[1].distinctAttribute" is kept

    @case:gate-off-template-drops-capacity
    @KEP-5075/create-strategy/drop-template-fields
    Scenario: With DRAConsumableCapacity off, capacity is dropped from a new ResourceClaimTemplate
      Given the feature gate "DRAConsumableCapacity" is off
      When ResourceClaimTemplate "two-nics" is created
      Then the field "spec.spec.devices.requests[0].exactly.capacity" is dropped
      And the field "spec.spec.devices.requests[1].exactly.deviceClassName" is kept
      And the field "spec.spec.devices.constraints[0].matchAttribute" is kept
