@profile:kep @profile:since-1.34
Feature: Metrics of pods that wait for capacity
  The scheduler counts its unschedulable pods by the plugin that rejects them. DynamicResources rejects a pod for which
  too little capacity remains.

  Background:
    Given the device
      | device | allowMultipleAllocations | capacity bw |
      | eth1   | yes                      | 10          |
    And a ResourceClaim "a" requesting 6 of "bw"
    And a ResourceClaim "b" requesting 5 of "bw"
    And a ResourceClaim "c" requesting 4 of "bw"

  @case:counted-until-capacity-is-free
  @KEP-5075/metrics/unschedulable-pods
  Scenario: A pod is counted as rejected by DynamicResources until its capacity is free
    When a pod "a" that uses ResourceClaim "a" is created
    And the cluster reaches a steady state
    Then pod "a" is Running
    And the metric scheduler_unschedulable_pods{plugin=DynamicResources} changes by 0
    When a pod "b" that uses ResourceClaim "b" is created
    And the cluster reaches a steady state
    Then pod "b" is Pending
    And the metric scheduler_unschedulable_pods{plugin=DynamicResources} changes by 1
    When pod "a" is deleted
    And the cluster reaches a steady state
    Then pod "b" is Running
    And the metric scheduler_unschedulable_pods{plugin=DynamicResources} changes by -1

  @case:two-pods-counted
  @KEP-5075/metrics/unschedulable-pods
  Scenario: Each pod without enough capacity is counted, and a pod with enough capacity is not
    When a pod "a" that uses ResourceClaim "a" is created
    And the cluster reaches a steady state
    Then pod "a" is Running
    When a pod "b" that uses ResourceClaim "b" is created
    And a pod "b2" that uses ResourceClaim "b" is created
    And a pod "c" that uses ResourceClaim "c" is created
    And the cluster reaches a steady state
    Then pod "b" is Pending
    And pod "b2" is Pending
    And pod "c" is Running
    And the metric scheduler_unschedulable_pods{plugin=DynamicResources} changes by 2

  @case:deleted-pod-not-counted
  @KEP-5075/metrics/unschedulable-pods
  Scenario: A pod without enough capacity is no longer counted after its deletion
    When a pod "a" that uses ResourceClaim "a" is created
    And the cluster reaches a steady state
    Then pod "a" is Running
    When a pod "b" that uses ResourceClaim "b" is created
    And the cluster reaches a steady state
    Then the metric scheduler_unschedulable_pods{plugin=DynamicResources} changes by 1
    When pod "b" is deleted
    And the cluster reaches a steady state
    Then the metric scheduler_unschedulable_pods{plugin=DynamicResources} changes by -1
    But from Kubernetes 1.34 to 1.35, because the schedulers of these releases count a deleted pod until they restart: the metric scheduler_unschedulable_pods{plugin=DynamicResources} changes by 0

  @case:other-plugin-rejects
  @KEP-5075/metrics/unschedulable-pods
  Scenario: A pod that matches no node is not counted for DynamicResources if its capacity is free
    When this object is created
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p}
      spec:
        nodeSelector: {zone: elsewhere}
        containers: [{name: ctr, image: app, resources: {claims: [{name: bw}]}}]
        resourceClaims: [{name: bw, resourceClaimName: a}]
      """
    And the cluster reaches a steady state
    Then pod "p" is Pending
    And ResourceClaim "a" is not allocated
    And the metric scheduler_unschedulable_pods{plugin=DynamicResources} changes by 0

  @case:requests-for-claims-counted
  @KEP-5075/metrics/apiserver-requests
  Scenario: The API server counts the requests that write the status of an allocated ResourceClaim
    When a pod "a" that uses ResourceClaim "a" is created
    And the cluster reaches a steady state
    Then pod "a" is Running
    And the metric apiserver_request_total{resource=resourceclaims, subresource=status} increases

  @case:no-new-kind-of-request
  @KEP-5075/metrics/no-new-api-calls
  Scenario: The scheduler sends the same kinds of write requests for shared and exclusive devices
    Given the device
      | device | pool   |
      | gpu-0  | pool-2 |
    And a ResourceClaim "exclusive" with the request
      | request | selector                                |
      | r0      | !has(device.allowMultipleAllocations) \|\| !device.allowMultipleAllocations |
    When a pod "p" that uses ResourceClaim "exclusive" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    When a pod "a" that uses ResourceClaim "a" is created
    And the cluster reaches a steady state
    Then pod "a" is Running
    And the scheduler sends no new kind of write request
