Feature: API validation of nodeAllocatableResourceClaimStatuses
  An entry in the status of a pod names a ResourceClaim, the containers that use the ResourceClaim, and a quantity of
  each node resource.

  Background:
    Given a pod "p" with the containers
      | container | claims |
      | c1        | c      |
      | c2        | c, d   |

  @case:claim-name-required
  @KEP-5517/api-validation/status-required-fields
  Scenario: A nodeAllocatableResourceClaimStatuses entry without resourceClaimName is rejected
    When the status of pod "p" is updated with
      | field                                       | value                                                                                        |
      | status.nodeAllocatableResourceClaimStatuses | [{containers: [c1], resources: {cpu: "4"}, mapping: [{name: cpu, quantity: "4"}]}] |
    Then the object is rejected
    But since Kubernetes 1.36, because the document leaves open the type and the path of the error: the object is rejected with Required at "status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName"

  @case:resources-required
  @KEP-5517/api-validation/status-required-fields
  Scenario: A nodeAllocatableResourceClaimStatuses entry without resources is rejected
    When the status of pod "p" is updated with
      | field                                       | value                                        |
      | status.nodeAllocatableResourceClaimStatuses | [{resourceClaimName: c, containers: [c1]}] |
    Then the object is rejected
    But in Kubernetes 1.36, because the document leaves open the type and the path of the error: the object is rejected with Required at "status.nodeAllocatableResourceClaimStatuses[0].resources"
    But since Kubernetes 1.37, because mapping and overhead are both optional in these releases: the object is stored

  @case:extended-resource-rejected
  @KEP-5517/api-validation/status-required-fields @profile:since-1.36
  Scenario: A nodeAllocatableResourceClaimStatuses entry with an extended resource is rejected
    When the status of pod "p" is updated with
      | field                                       | value                                                                                        |
      | status.nodeAllocatableResourceClaimStatuses | [{resourceClaimName: c, containers: [c1], resources: {cpu: "4", example.com/gpu: "1"}}] |
    Then the object is rejected with Invalid at "status.nodeAllocatableResourceClaimStatuses[0].resources[example.com/gpu]"
    But since Kubernetes 1.37, because mapping and overhead replace resources in these releases: the object is stored

  @case:unknown-claim-rejected
  @KEP-5517/status/entry-content @profile:since-1.36
  Scenario: A nodeAllocatableResourceClaimStatuses entry for an unused ResourceClaim is rejected
    When the status of pod "p" is updated with
      | field                                       | value                                                                                               |
      | status.nodeAllocatableResourceClaimStatuses | [{resourceClaimName: other, containers: [c1], resources: {cpu: "4"}, mapping: [{name: cpu, quantity: "4"}]}] |
    Then the object is rejected with Invalid at "status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName"

  @case:extended-resource-claim-stored
  @KEP-5517/accounting/extended-resource-backed-claim @profile:kep @profile:since-1.38
  Scenario: A nodeAllocatableResourceClaimStatuses entry for an extended-resource claim is stored
    Given a pod "q" with the container
      | container | request example.com/gpu |
      | c1        | 1                       |
    When the status of pod "q" is updated with
      | field                                       | value                                                                                                             |
      | status.extendedResourceClaimStatus          | {resourceClaimName: e, requestMappings: [{containerName: c1, resourceName: example.com/gpu, requestName: r0}]}    |
      | status.nodeAllocatableResourceClaimStatuses | [{resourceClaimName: e, containers: [c1], resources: {cpu: "4"}, mapping: [{name: cpu, quantity: "4"}]}] |
    Then the object is stored with
      | field                                                            | value |
      | status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName | e     |

  @case:containers-optional
  @KEP-5517/api-validation/status-required-fields
  Scenario: A nodeAllocatableResourceClaimStatuses entry without containers is stored
    When the status of pod "p" is updated with
      | field                                       | value                                                                                      |
      | status.nodeAllocatableResourceClaimStatuses | [{resourceClaimName: c, resources: {cpu: "4"}, mapping: [{name: cpu, quantity: "4"}]}] |
    Then the object is stored with
      | field                                                            | value |
      | status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName | c     |
    But in Kubernetes 1.36, because this release requires containers: the object is rejected with Required at "status.nodeAllocatableResourceClaimStatuses[0].containers"

  @case:order-of-entries
  @KEP-5517/status/order-is-not-significant @KEP-5517/status/entry-content
  Scenario Outline: nodeAllocatableResourceClaimStatuses entries and containers are stored in any order
    When the status of pod "p" is updated with
      | field                                       | value     |
      | status.nodeAllocatableResourceClaimStatuses | <entries> |
    Then the object is stored with
      | field                                                            | value        |
      | status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName | <first>      |
      | status.nodeAllocatableResourceClaimStatuses[0].containers        | <containers> |
      | status.nodeAllocatableResourceClaimStatuses[1].resourceClaimName | <second>     |

    @key:order
    Examples:
      | order               | first | containers | second | entries                                                                                                                                                                                                |
      | by-name             | c     | [c1, c2]   | d      | [{resourceClaimName: c, containers: [c1, c2], resources: {cpu: 4}, mapping: [{name: cpu, quantity: 4}]}, {resourceClaimName: d, containers: [c2], resources: {cpu: 2}, mapping: [{name: cpu, quantity: 2}]}] |
      | containers-reversed | c     | [c2, c1]   | d      | [{resourceClaimName: c, containers: [c2, c1], resources: {cpu: 4}, mapping: [{name: cpu, quantity: 4}]}, {resourceClaimName: d, containers: [c2], resources: {cpu: 2}, mapping: [{name: cpu, quantity: 2}]}] |
      | entries-reversed    | d     | [c2]       | c      | [{resourceClaimName: d, containers: [c2], resources: {cpu: 2}, mapping: [{name: cpu, quantity: 2}]}, {resourceClaimName: c, containers: [c1, c2], resources: {cpu: 4}, mapping: [{name: cpu, quantity: 4}]}] |

  @case:container-twice-rejected
  @KEP-5517/api-validation/status-containers-are-a-set
  Scenario: A nodeAllocatableResourceClaimStatuses entry that lists a container twice is rejected
    When the status of pod "p" is updated with
      | field                                       | value                                                                                                          |
      | status.nodeAllocatableResourceClaimStatuses | [{resourceClaimName: c, containers: [c1, c1], resources: {cpu: "4"}, mapping: [{name: cpu, quantity: "4"}]}] |
    Then the object is rejected
    But since Kubernetes 1.37, because the document leaves open the type and the path of the error: the object is rejected with Duplicate at "status.nodeAllocatableResourceClaimStatuses[0].containers[1]"
    But in Kubernetes 1.36, because this release does not validate the list: the object is stored

  @case:draft-field-dropped
  @KEP-5517/api-validation/old-field-names-are-not-the-api
  Scenario: The draft field nativeResourceClaimStatus is dropped from the pod status
    When the status of pod "p" is updated with
      | field                            | value                                                                                                    |
      | status.phase                     | Running                                                                                                  |
      | status.nativeResourceClaimStatus | [{claimInfo: {name: c}, containers: [c1], resources: [{resourceName: cpu, quantity: 30}]}] |
    Then the object is stored with
      | field                            | value   |
      | status.phase                     | Running |
      | status.nativeResourceClaimStatus | null    |
