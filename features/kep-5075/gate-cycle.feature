Feature: DRAConsumableCapacity turned off and on again
  The quantities are those of the upgrade and rollback test in the KEP. The device has 10G of bandwidth and a workload
  requests 5G. One workload requests 2G while the gate is off; another requests 8G after the gate is on again.

  Background:
    Given the device
      | device | allowMultipleAllocations | capacity bw | requestPolicy bw |
      | eth1   | yes                      | 10G         | default 1G       |
    And a ResourceClaim "first" requesting 5G of "bw"
    And a pod "p" that uses ResourceClaim "first"

  @case:shares-count-after-reenabling
  @KEP-5075/rollback/upgrade-downgrade-upgrade @KEP-5075/rollback/existing-workloads-continue
  @KEP-5075/rollback/new-capacity-claims-pending
  Scenario: Capacity consumed before DRAConsumableCapacity is turned off counts after it is on again
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "first" consumes 5G of "bw"
    When a ResourceClaim "small" requesting 2G of "bw" is created
    And the feature gate "DRAConsumableCapacity" is turned off
    And a pod "q" that uses ResourceClaim "small" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "first" keeps its allocation
    And pod "q" is Pending
    When the feature gate "DRAConsumableCapacity" is turned on
    And a ResourceClaim "too-big" requesting 8G of "bw" is created
    And a pod "r" that uses ResourceClaim "too-big" is created
    And the cluster reaches a steady state
    Then pod "q" is Running
    And ResourceClaim "small" consumes 2G of "bw"
    And pod "r" is Pending
    And ResourceClaim "first" keeps its allocation

  @case:allocated-claim-serves-second-pod
  @KEP-5075/rollback/existing-claim-stays-valid
  Scenario: With DRAConsumableCapacity off, a second pod can use an already allocated ResourceClaim
    When the cluster reaches a steady state
    Then pod "p" is Running
    When the feature gate "DRAConsumableCapacity" is turned off
    And a pod "q" that uses ResourceClaim "first" is created
    And the cluster reaches a steady state
    Then pod "q" is Running
    And ResourceClaim "first" keeps its allocation
    And ResourceClaim "first" is reserved for pods "p, q"

  @case:rest-not-allocated-while-off
  @KEP-5075/rollback/no-further-sharing @KEP-5075/rollback/equivalent-to-unsetting
  Scenario: With DRAConsumableCapacity off, a partly consumed device is not allocated again
    When the cluster reaches a steady state
    And the feature gate "DRAConsumableCapacity" is turned off
    And a ResourceClaim "whole" requesting no capacity is created
    And a pod "q" that uses ResourceClaim "whole" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending
    When pod "p" is deleted
    And the cluster reaches a steady state
    Then pod "q" is Running
    And ResourceClaim "whole" is allocated exactly
      | device | shareID |
      | eth1   | no      |

  @case:dropped-capacity-stays-missing
  @KEP-5075/rollback/fields-dropped-on-write @KEP-5075/rollback/reenable
  Scenario: A dropped capacity request is not restored when DRAConsumableCapacity is on again
    When the cluster reaches a steady state
    And the feature gate "DRAConsumableCapacity" is turned off in the API server
    And a ResourceClaimTemplate "small" requesting 2G of "bw" is created
    Then the field "spec.spec.devices.requests[0].exactly.capacity" is dropped
    When the feature gate "DRAConsumableCapacity" is turned on in the API server
    And a ResourceClaimTemplate "new" requesting 2G of "bw" is created
    Then the field "spec.spec.devices.requests[0].exactly.capacity" is kept
    When the cluster reaches a steady state
    Then ResourceClaimTemplate "small" has
      | field                                          | value |
      | spec.spec.devices.requests[0].exactly.capacity | null  |
    And ResourceClaim "first" keeps its allocation

  @case:slice-published-while-off
  @KEP-5075/rollback/fields-dropped-on-write
  Scenario: A device published with DRAConsumableCapacity off is stored without the gated fields
    When the feature gate "DRAConsumableCapacity" is turned off in the API server
    And the driver publishes the device
      | device | slice | pool   | allowMultipleAllocations | capacity bw | requestPolicy bw |
      | eth2   | other | pool-2 | yes                      | 10G         | default 1G       |
    Then the field "spec.devices[0].allowMultipleAllocations" is dropped
    And the field "spec.devices[0].capacity.bw.requestPolicy" is dropped
    And the object is stored with
      | field                             | value |
      | spec.devices[0].capacity.bw.value | 10G   |

  @case:device-status-keeps-share-id
  @KEP-5075/rollback/device-status-reference-kept
  Scenario: With DRAConsumableCapacity off, a device status keeps its shareID in an update
    Given the object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: reported, namespace: default}
      spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
      status:
        allocation:
          devices:
            results:
              - request: r0
                driver: dra.example.com
                pool: pool-1
                device: eth1
                shareID: 0e7b1e1c-7a52-4c43-8d5e-6d0f8f7f5a01
                consumedCapacity: {bw: 1G}
        devices:
          - driver: dra.example.com
            pool: pool-1
            device: eth1
            shareID: 0e7b1e1c-7a52-4c43-8d5e-6d0f8f7f5a01
            data: {speed: 1}
      """
    When the feature gate "DRAConsumableCapacity" is turned off
    And the status of ResourceClaim "reported" is updated with
      | field                  | value      |
      | status.devices[0].data | {speed: 2} |
    Then the object is stored with
      | field                                                   | value                                |
      | status.devices[0].shareID                               | 0e7b1e1c-7a52-4c43-8d5e-6d0f8f7f5a01 |
      | status.devices[0].data                                  | {speed: 2}                           |
      | status.allocation.devices.results[0].shareID            | 0e7b1e1c-7a52-4c43-8d5e-6d0f8f7f5a01 |
      | status.allocation.devices.results[0].consumedCapacity.bw | 1G                                   |
